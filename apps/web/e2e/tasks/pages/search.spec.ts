import { expect, test } from '../../fixtures.ts'
import { putTokens } from '../../lasting/many-tokens.js'
import { grant, makeVault, STRANGER } from '../support/person.ts'

test('every one of very many matches and grants can be reached', async ({ page }) => {
  const { address } = await makeVault(page)
  await putTokens(page, address, 2_500)
  await page.goto('/search')
  await expect(page.getByText(/^2,50\d entries/)).toBeVisible()
  const matches = page.getByRole('listbox', { name: 'Matches' })
  const [, count = ''] = (await page.getByText(/^2,50\d entries/).textContent())?.match(/^([\d,]+)/) ?? []
  const last = matches.locator(`[aria-posinset="${count.replace(',', '')}"]`)
  await expect(async () => {
    await matches.evaluate((list) => list.parentElement?.scrollTo(0, list.scrollHeight))
    await expect(last).toBeAttached({ timeout: 500 })
  }).toPass()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-busy', 'false')
  await expect(last).not.toHaveText('')

  await page.goto('/identity?tab=grants')
  await expect(page.getByText(/^2,250 grants/)).toBeVisible()
  const end = page.locator('[aria-posinset="2250"]')
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(end).toBeInViewport({ timeout: 500 })
  }).toPass()
  await expect(end).toHaveAttribute('aria-busy', 'false')
})

test('grants from another tab are found, and without a Worker search still works and says so', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  const reader = await context.newPage()
  await guard.watch(reader)
  // Make the Worker that reads tokens fail. The enclave's worker is a shared one.
  await reader.addInitScript(() => {
    const Real = window.Worker
    Reflect.set(
      window,
      'Worker',
      class extends Real {
        constructor(url: string | URL, options?: WorkerOptions) {
          if (options?.name === 'tokens') throw new Error('no Worker today')
          super(url, options)
        }
      },
    )
  })
  await reader.goto('/search?q=holi')
  await expect(reader.getByText('This browser could not start its helper for long lists.')).toBeVisible()
  await expect(reader.getByText('No matches')).toBeVisible()
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await expect(reader.getByRole('option').locator('mark')).toHaveText(['Holi'])
})

test('what is found while someone types comes in shared memory, and as messages where there is none', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  /** Counts what the page hears through shared memory. If that is hidden, the page sees no way to wait for it, but it would still count. */
  const count = (isHidden: boolean) => {
    const { waitAsync } = Atomics
    Reflect.set(window, 'heard', 0)
    Reflect.set(Atomics, 'waitAsync', (length: Int32Array, at: number, value: number) => {
      const waiting = waitAsync(length, at, value)
      void Promise.resolve(waiting.value).then(() =>
        Reflect.set(window, 'heard', Reflect.get(window, 'heard') + 1),
      )
      return waiting
    })
    if (!isHidden) return
    const has = (target: typeof Atomics, name: string | symbol) => name !== 'waitAsync' && name in target
    Reflect.set(window, 'Atomics', new Proxy(Atomics, { has }))
  }
  const find = async (isHidden: boolean) => {
    const reader = await context.newPage()
    await guard.watch(reader)
    await reader.addInitScript(count, isHidden)
    await reader.goto('/search')
    await expect(reader.getByText(/^\d+ entries/)).toBeVisible()
    const heard = () => reader.evaluate(() => Number(Reflect.get(window, 'heard')))
    const before = await heard()
    await reader.getByRole('combobox', { name: 'Search the vault' }).pressSequentially('holi')
    await expect(reader.getByRole('option').locator('mark')).toHaveText(['Holi'])
    return (await heard()) - before
  }
  expect(await find(false)).toBeGreaterThan(0)
  expect(await find(true)).toBe(0)
})
