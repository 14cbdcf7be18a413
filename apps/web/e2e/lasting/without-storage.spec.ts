// Without IndexedDB, accounts last as long as their page and otherwise work like stored ones.
import { expect, openVaultPage, test, WORKERS } from './fixtures.ts'

const PASSPHRASES = ['violet anvil harbour thirty', 'granite sparrow window forty'] as const

for (const [workers, sharedWorker] of WORKERS) {
  test.describe(`with ${workers}`, () => {
    test.use({ sharedWorker })

    test('two accounts are listed and switched, each locked when you leave it, and end with the page', async ({
      context,
      site,
    }) => {
      await context.addInitScript(() => {
        Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
      })
      const page = await context.newPage()
      await openVaultPage(page, site)
      const made = await page.evaluate(async ([one, two]) => {
        const vault = await window.openVault({ enablePersistence: false })
        const { address: first } = await vault.create({ passphrase: one, label: 'First' })
        const { address: second } = await vault.create({ passphrase: two, label: 'Second' })
        await vault.generateKey()
        return { first, second, accounts: await vault.accounts.list() }
      }, PASSPHRASES)
      const { first, second } = made
      expect(made.accounts).toMatchObject([
        { address: first, active: false, untilReload: true },
        { address: second, active: true, untilReload: true, label: 'Second' },
      ])

      const left = await page.evaluate(async (address) => {
        await window.vault.accounts.open(address)
        return window.vault.getSnapshot()
      }, first)
      expect(left).toMatchObject({ address: first, phase: 'locked' })

      const back = await page.evaluate(
        async ([one, two, address]) => {
          const { vault } = window
          const refused = await vault.unlock(two).catch((error: { code: string }) => error.code)
          await vault.unlock(one)
          await vault.accounts.label('Renamed')
          const { label, keys } = vault.getSnapshot()
          await vault.accounts.open(address)
          const locked = vault.getSnapshot().phase
          await vault.unlock(two)
          return { refused, first: { label, keys: keys.length }, locked, second: vault.getSnapshot() }
        },
        [...PASSPHRASES, second] as const,
      )
      expect(back).toMatchObject({
        refused: 'INVALID_PASSPHRASE',
        first: { label: 'Renamed', keys: 1 },
        locked: 'locked',
        second: { address: second, phase: 'unlocked', label: 'Second', keys: [{}, {}] },
      })

      await openVaultPage(page, site)
      const anew = await page.evaluate(async () => {
        const vault = await window.openVault({ enablePersistence: false })
        return vault.getSnapshot()
      })
      expect(anew).toMatchObject({ phase: 'empty', accounts: [], lost: [] })
      expect(anew.error).toBeUndefined()
    })
  })
}
