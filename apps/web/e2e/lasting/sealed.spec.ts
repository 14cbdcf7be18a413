// What is sealed, changed: every value of it, one at a time, in a real browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { expect, openVaultPage, test } from './fixtures.ts'
import { type Change, change, changes, type Fields, forgedState, stateChecksum } from './sealed-text.js'
import { WorkerMemory } from './worker-memory.ts'

const vectors = join(import.meta.dirname, '../../../../vectors/keyhole')
const readVector = <S extends v.GenericSchema>(name: string, schema: S) =>
  v.parse(schema, JSON.parse(readFileSync(join(vectors, name), 'utf8')))

const account = readVector('seal-v1.json', v.object({ passphrase: v.string(), state: v.string() }))
const state: Fields = JSON.parse(account.state)

/** What is seen before anything is opened: parts that do not fit each other, a kind or a field that is not known. */
const SEEN_BEFORE =
  /^(?:format|address|chain_id|default_key|keys\.\d+\.(?:id|type|public_key)|methods\.\d+\.(?:kind|kdf\.name)|a field that nobody knows)$/

interface Outcome {
  readonly code: string
  readonly error: string
}

/** What opening and unlocking each of these states comes to. */
async function openAll(page: Page, states: readonly string[]): Promise<Outcome[]> {
  return await page.evaluate(
    async ([texts, passphrase]) => {
      const outcomes: { code: string; error: string }[] = []
      const enclave = await window.openEnclave()
      for (const text of texts) {
        const opened = await enclave.call('open_vault', { enclave: text })
        const unlocked =
          'error' in Object(opened) ? opened : await enclave.call('unlock_vault', { passphrase })
        const { code = 'opened', error = '' } = Object(unlocked)
        outcomes.push({ code: String(code), error: String(error) })
        await enclave.call('close_vault', {})
      }
      await enclave.close()
      return outcomes
    },
    [states, account.passphrase] as const,
  )
}

const text = (fields: Fields) => JSON.stringify(fields)

test('the checksum is forged as the product makes it', async ({ page, site }) => {
  expect(stateChecksum(state)).toBe(state.checksum)
  await openVaultPage(page, site)
  expect(await openAll(page, [text(state), forgedState(state)])).toEqual([
    { code: 'opened', error: '' },
    { code: 'opened', error: '' },
  ])
})

test('a sealed state with any of its values changed is damaged', async ({ page, site }) => {
  await openVaultPage(page, site)
  const changed = changes(state)
  expect(changed.length).toBeGreaterThan(40)
  const outcomes = await openAll(
    page,
    changed.map(({ fields }) => text(fields)),
  )
  for (const [index, { code, error }] of outcomes.entries()) {
    expect(`${changed[index]?.path}: ${code}`).toBe(`${changed[index]?.path}: OPERATION_FAILED`)
    // A version of the format that is not known is no damage: it says that it is newer.
    if (changed[index]?.path !== 'format') expect(error, changed[index]?.path).toMatch(/damaged/i)
  }
})

/** Changes that no single value makes: something more, less, twice, or in another place. */
const WHOLE: Record<string, (fields: Fields) => void> = {
  'a key left out': (fields) =>
    change(fields, ['keys'], (keys) => (Array.isArray(keys) ? keys.slice(0, -1) : keys)),
  'two keys swapped': (fields) =>
    change(fields, ['keys'], (keys) =>
      Array.isArray(keys) ? [keys[0] ?? '', keys[2] ?? '', keys[1] ?? ''] : keys,
    ),
  'a key’s seal at another key': (fields) => {
    const [, second, third] = Array.isArray(fields.keys) ? fields.keys : []
    change(fields, ['keys', '1'], () => ({
      ...Object(second),
      nonce: Object(third).nonce,
      sealed: Object(third).sealed,
    }))
  },
  'a method added': (fields) =>
    change(fields, ['methods'], (methods) =>
      Array.isArray(methods)
        ? [...methods, { ...Object(methods[0]), id: 'AAAAAAAAAAAAAAAA', kind: 'recovery_code' }]
        : methods,
    ),
  'an older revision': (fields) => change(fields, ['revision'], () => 1),
  'a lower cost': (fields) => change(fields, ['methods', '0', 'kdf', 'passes'], () => 3),
  'a field that nobody knows': (fields) => Reflect.set(fields, 'surplus', 1),
}

test('a sealed state with any of its values changed and its checksum forged is refused', async ({
  page,
  site,
}) => {
  await openVaultPage(page, site)
  const whole: Change[] = Object.entries(WHOLE).map(([path, make]) => {
    const fields = structuredClone(state)
    make(fields)
    return { path, fields }
  })
  const changed = [...changes(state).filter(({ path }) => path !== 'checksum'), ...whole]
  const outcomes = await openAll(
    page,
    changed.map(({ fields }) => forgedState(fields)),
  )
  const lines = outcomes.map(({ code, error }, index) => {
    const { path = '' } = changed[index] ?? {}
    return { path, code, error }
  })
  expect(lines.filter(({ code }) => code === 'opened')).toEqual([])
  const others = lines.filter(({ path, code }) => code !== 'INVALID_PASSPHRASE' && !SEEN_BEFORE.test(path))
  expect(others.map(({ path, error }) => `${path}: ${error}`)).toEqual([])
})

test('a state that asks for 4 GiB is refused before any memory is taken', async ({ browser, page, site }) => {
  const costly = structuredClone(state)
  change(costly, ['methods', '0', 'kdf', 'memory_kib'], () => 4 * 1024 * 1024)
  await openVaultPage(page, site)
  await page.evaluate(async () => {
    const enclave = await window.openEnclave()
    Reflect.set(window, 'enclave', enclave)
    await enclave.call('vault_status')
  })
  const worker = await WorkerMemory.attach(browser, site.url)
  const before = await worker.linearMemory()
  const refusal = await page.evaluate(async (enclave) => {
    return await Reflect.get(window, 'enclave').call('open_vault', { enclave })
  }, forgedState(costly))
  expect(refusal).toMatchObject({ code: 'OPERATION_FAILED' })
  expect(await worker.linearMemory()).toBe(before)
  await worker.detach()
})
