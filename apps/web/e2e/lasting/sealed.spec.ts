// Changes every value of a sealed state and a backup, one at a time, in a real browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { expect, openVaultPage, test } from './fixtures.ts'
import { type Change, change, changes, type Fields, forged } from './sealed-text.js'
import { WorkerMemory } from './worker-memory.ts'

const vectors = join(import.meta.dirname, '../../../../vectors/keyhole')
const account = v.parse(
  v.object({ passphrase: v.string(), state: v.string() }),
  JSON.parse(readFileSync(join(vectors, 'seal-v1.json'), 'utf8')),
)
const PASSPHRASE = 'violet anvil harbour thirty'
const FILE_PASSPHRASE = 'granite sparrow window forty'

/** A sealed text, and the enclave calls that open it, each with a different secret. */
interface Sealed {
  readonly fields: Fields
  readonly call: 'unlock_vault' | 'check_backup'
  readonly secrets: readonly object[]
}

interface Outcome {
  readonly path: string
  /** The codes from all ways to open it, without duplicates; `opened` where one worked. */
  readonly codes: string
  readonly error: string
}

/** Tries to open each changed text with every secret. */
async function openAll(
  page: Page,
  sealed: Sealed,
  texts: readonly string[],
): Promise<Omit<Outcome, 'path'>[]> {
  return await page.evaluate(
    async ([texts, call, secrets]) => {
      const enclave = await window.openEnclave()
      const refusalOf = (answer: unknown) => {
        const { code = 'opened', error = '' } = Object(answer)
        return { code: String(code), error: String(error) }
      }
      const open = async (text: string, secret: object) => {
        if (call === 'check_backup') return refusalOf(await enclave.call(call, { backup: text, ...secret }))
        const opened = refusalOf(await enclave.call('open_vault', { enclave: text }))
        const answer = opened.code === 'opened' ? refusalOf(await enclave.callByName(call, secret)) : opened
        await enclave.call('close_vault', {})
        return answer
      }
      const outcomes: { codes: string; error: string }[] = []
      for (const text of texts) {
        const answers: { code: string; error: string }[] = []
        for (const secret of secrets) answers.push(await open(text, secret))
        const codes = [...new Set(answers.map(({ code }) => code))].join(', ')
        outcomes.push({ codes, error: answers[0]?.error ?? '' })
      }
      await enclave.close()
      return outcomes
    },
    [texts, sealed.call, sealed.secrets] as const,
  )
}

async function outcomesOf(
  page: Page,
  sealed: Sealed,
  changed: readonly Change[],
  write: (fields: Fields) => string,
): Promise<Outcome[]> {
  const outcomes = await openAll(
    page,
    sealed,
    changed.map(({ fields }) => write(fields)),
  )
  return outcomes.map((outcome, index) => ({ path: changed[index]?.path ?? '', ...outcome }))
}

/** An account with a passphrase, a passkey and a recovery code, and its backup. */
async function makeSealed(page: Page): Promise<{ state: Sealed; backup: Sealed }> {
  const passkey = {
    credential: Buffer.from('a credential').toString('base64url'),
    prf: Buffer.alloc(64, 7).toString('base64url'),
  }
  const added = {
    ...passkey,
    relying_party: 'localhost',
    salt: Buffer.alloc(64, 9).toString('base64url'),
  }
  const made = await page.evaluate(
    async ([passphrase, passkey, export_passphrase]) => {
      const enclave = await window.openEnclave()
      const called = async (name: Parameters<typeof enclave.call>[0], input: object) => {
        const answer = Object(await enclave.call(name, input))
        if ('error' in answer) throw new Error(`${name}: ${answer.error}`)
        return answer
      }
      const proof = { passphrase }
      const { recovery_code } = await called('create_vault', {
        passphrase,
        recovery_code: true,
        label: 'Ada',
      })
      await called('generate_key', { key_type: 'p256', label: 'phone' })
      const { enclave: state } = await called('add_passkey', { proof, passkey })
      const contents = { tokens: ['a token'] }
      const { backup } = await called('export_vault', { proof, export_passphrase, contents })
      await enclave.close()
      return { state: String(state), backup: String(backup), recovery_code: String(recovery_code) }
    },
    [PASSPHRASE, added, FILE_PASSPHRASE] as const,
  )
  const { recovery_code } = made
  return {
    state: {
      fields: JSON.parse(made.state),
      call: 'unlock_vault',
      secrets: [{ proof: { recovery_code } }, { proof: { passkey } }],
    },
    backup: {
      fields: JSON.parse(made.backup),
      call: 'check_backup',
      secrets: [{ recovery_code }, { export_passphrase: FILE_PASSPHRASE }],
    },
  }
}

/** An account of three keys with a passphrase that is fast to derive. */
const quick: Sealed = {
  fields: JSON.parse(account.state),
  call: 'unlock_vault',
  secrets: [{ proof: { passphrase: account.passphrase } }],
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : [])

/** Changes to a state that affect more than one value: something missing, added, duplicated or moved. */
const WHOLE: Record<string, (fields: Fields) => void> = {
  'a key left out': (fields) => change(fields, ['keys'], (keys) => list(keys).slice(0, -1)),
  'two keys swapped': (fields) =>
    change(fields, ['keys'], (keys) => [...list(keys).slice(0, 1), ...list(keys).slice(1).toReversed()]),
  'a seal at another key': (fields) => {
    const { nonce = '', sealed = '' } = list(fields.keys)[2] ?? {}
    change(fields, ['keys', '1'], (key) => ({ ...Object(key), nonce, sealed }))
  },
  'a method put in': (fields) =>
    change(fields, ['methods'], (methods) => [
      ...list(methods),
      { ...list(methods)[0], id: 'AAAAAAAAAAAAAAAA', kind: 'recovery_code' },
    ]),
  'another revision': (fields) => change(fields, ['revision'], () => 1),
  'a lower cost': (fields) => change(fields, ['methods', '0', 'kdf', 'passes'], () => 3),
}

/** An unknown format, kind or function, or a method of the wrong kind. Each is reported as such before a secret is asked for. */
const isUnknown = ({ path }: { path: string }) => /^format$|\.kind$|kdf\.name$|^a method put in$/.test(path)

test('an unchanged text with a recomputed checksum opens', async ({ page, site }) => {
  await openVaultPage(page, site)
  const { state, backup } = await makeSealed(page)
  for (const sealed of [quick, state, backup]) {
    expect(await openAll(page, sealed, [JSON.stringify(sealed.fields), forged(sealed.fields)])).toEqual([
      { codes: 'opened', error: '' },
      { codes: 'opened', error: '' },
    ])
  }
})

test('a sealed state with any of its values changed is damaged', async ({ page, site }) => {
  await openVaultPage(page, site)
  const { state } = await makeSealed(page)
  for (const sealed of [quick, state]) {
    const outcomes = await outcomesOf(page, sealed, changes(sealed.fields), JSON.stringify)
    expect(outcomes.length).toBeGreaterThan(40)
    expect(outcomes.filter(({ codes }) => codes !== 'OPERATION_FAILED')).toEqual([])
    expect(outcomes.filter((each) => !isUnknown(each) && !/damaged/i.test(each.error))).toEqual([])
  }
})

test('a sealed state with any of its values changed and its checksum forged is refused', async ({
  page,
  site,
}) => {
  await openVaultPage(page, site)
  const { state } = await makeSealed(page)
  const whole = Object.entries(WHOLE).map(([path, make]) => {
    const fields = structuredClone(quick.fields)
    make(fields)
    return { path, fields }
  })
  for (const [sealed, more] of [
    [quick, whole],
    [state, []],
  ] as const) {
    const changed = [...changes(sealed.fields), ...more].filter(({ path }) => path !== 'checksum')
    const outcomes = await outcomesOf(page, sealed, changed, forged)
    expect(outcomes.filter((each) => !isUnknown(each) && each.codes !== 'INVALID_PASSPHRASE')).toEqual([])
    expect(outcomes.filter(isUnknown).map(({ codes }) => codes)).not.toContain('opened')
  }
})

test('a backup with any of its values changed is damaged, and with a forged checksum no secret opens it', async ({
  page,
  site,
}) => {
  await openVaultPage(page, site)
  const { backup } = await makeSealed(page)
  const changed = changes(backup.fields)
  expect(changed.length).toBeGreaterThan(20)
  const damaged = await outcomesOf(page, backup, changed, JSON.stringify)
  expect(damaged.filter(({ codes }) => codes !== 'OPERATION_FAILED')).toEqual([])
  expect(damaged.filter((each) => !isUnknown(each) && !/damaged/i.test(each.error))).toEqual([])

  const forgeries = await outcomesOf(
    page,
    backup,
    changed.filter(({ path }) => path !== 'checksum'),
    forged,
  )
  expect(forgeries.filter((each) => !isUnknown(each) && each.codes !== 'INVALID_PASSPHRASE')).toEqual([])
  expect(forgeries.filter(isUnknown).map(({ codes }) => codes)).not.toContain('opened')
})

test('a state that asks for 4 GiB is refused before any memory is allocated', async ({
  browser,
  page,
  site,
}) => {
  const costly = structuredClone(quick.fields)
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
  }, forged(costly))
  expect(refusal).toMatchObject({ code: 'OPERATION_FAILED' })
  expect(await worker.linearMemory()).toBe(before)
  await worker.detach()
})
