import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { ed25519Did } from '../support/ed25519.ts'
import {
  card,
  choosePassphrase,
  expectUnlocked,
  FILE_PASSPHRASE,
  grant,
  makeVault,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  STRANGER,
  unlock,
  visit,
  writeBackup,
} from '../support/person.ts'
import {
  disguises,
  dumpEverything,
  findSecret,
  type Message,
  messagesOf,
  recordMessages,
} from '../support/secrets.ts'

/** The only calls that may carry a passphrase, and only inwards. */
const TAKES_PASSPHRASE =
  /create_vault|unlock_vault|set_passphrase|begin_export|begin_import|finish_import|export_vault|import_vault/

const utf8 = (text: string) => new TextEncoder().encode(text)

function carriers(messages: readonly Message[], secret: Uint8Array): Message[] {
  const shapes = disguises(secret)
  return messages.filter(({ text }) => shapes.some((shape) => text.includes(shape)))
}

test.describe('with a cache that could keep it', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a planted passphrase is nowhere but in the calls that take it', async ({ page, guard }) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.addInitScript(recordMessages)

    await makeVault(page)
    await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
    await writeBackup(page)
    const before = await messagesOf(page)
    await page.reload()
    await unlock(page)
    await visit(page, 'Settings', 'Unlocking')
    const form = card(page, 'Change the passphrase')
    await form.getByLabel('Current passphrase').fill(PASSPHRASE)
    await choosePassphrase(form, 'New passphrase', OTHER_PASSPHRASE)
    await form.getByRole('button', { name: 'Change passphrase' }).click()
    await expect(form.getByText('The passphrase is changed.')).toBeVisible()

    const messages = [...before, ...(await messagesOf(page))]
    const places: Record<string, string> = {
      ...(await dumpEverything(page)),
      console: [...said, ...guard.findings].join('\n'),
    }
    // The search itself works: what is stored in the clear is found.
    expect(findSecret(places, utf8(STRANGER))).toContain('IndexedDB')

    for (const passphrase of [PASSPHRASE, OTHER_PASSPHRASE, FILE_PASSPHRASE]) {
      expect(findSecret(places, utf8(passphrase)), `places that hold “${passphrase}”`).toEqual([])
      const carrying = carriers(messages, utf8(passphrase))
      expect(carrying.length).toBeGreaterThan(0)
      for (const { direction, text } of carrying) {
        expect(direction).toBe('out')
        expect(text).toMatch(TAKES_PASSPHRASE)
      }
    }
    // A label is personal: it is sealed where it is stored.
    expect(
      findSecret({ IndexedDB: places.IndexedDB ?? '', OPFS: places.OPFS ?? '' }, utf8('Holiday mails')),
    ).toEqual([])
  })
})

/** The bytes that the planted generator gives for its nth draw of 32. Runs in the worker and here alike. */
function draw(turn: number, length: number): Uint8Array {
  let state = (turn + 1) * 2_654_435_761
  return Uint8Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 255
  })
}

const PLANT = `{
  const draw = ${draw.toString()};
  let turn = 0;
  crypto.getRandomValues = (array) => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(draw(turn++, array.byteLength));
    return array;
  };
}
`

test.describe('with a random generator that we know', () => {
  async function plant(page: Page): Promise<void> {
    await page.addInitScript(recordMessages)
    // Only a dedicated Worker's script can be changed on its way; the code that runs in it is the same.
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'SharedWorker')
    })
    await page.route(/worker[^/]*\.js$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${PLANT}${await response.text()}` })
    })
  }

  test('no key byte leaves the enclave in the clear', async ({ page }) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await plant(page)
    const { did } = await makeVault(page)
    await visit(page, 'Settings', 'Keys')
    for (const type of ['P-256', 'secp256k1']) {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('dialog', { name: 'New key' }).getByLabel('Type').click()
      await page.getByRole('option', { name: type }).click()
      await page.getByRole('button', { name: 'Create key' }).click()
      await expect(card(page, 'Your keys').getByText(type, { exact: true })).toBeVisible()
    }
    await grant(page, { to: STRANGER, command: '/msg/send' })
    await writeBackup(page)
    await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
    await unlock(page)
    await expectUnlocked(page)

    // The plant took root: one of the draws is the private key of the DID on screen.
    const draws = Array.from({ length: 400 }, (_, turn) => draw(turn, 32))
    expect(draws.filter((seed) => ed25519Did(seed) === did)).toHaveLength(1)

    const messages = (await messagesOf(page)).map(({ text }) => text).join('\n')
    const places = { ...(await dumpEverything(page)), console: said.join('\n'), messages }
    // Private keys and data keys are draws of 32 bytes; salts (16) and nonces (12, 24) are shorter, and public.
    for (const [turn, secret] of draws.entries()) {
      expect(findSecret(places, secret), `draw ${turn}`).toEqual([])
    }
  })
})
