// The pool in threads, with the plugin.
import { availableParallelism } from 'node:os'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { planWorker } from '#platform'
import { createEnclave } from '../create-enclave.ts'
import { answerOf } from '../errors.ts'
import type { ValidationResult } from '../generated/contract.ts'
import { fetchVerified } from '../loading/source.ts'
import type { ValidationChecks } from '../types.ts'
import type { Connection, WorkerPlan } from '../worker/connection.ts'
import { createPool } from './create-pool.ts'
import type { Pool } from './pool.ts'
import { startPool } from './worker-pool.ts'

const NOW = Math.floor(Date.now() / 1000)
const invocations: string[] = []
let checks: ValidationChecks = {}
/** The answer of a single call for them. */
let expected: readonly ValidationResult[] = []

// Various cases: by the owner, by someone with a grant, expired, for someone else, unreadable, already used.
beforeAll(async () => {
  const enclave = await createEnclave()
  const passphrase = 'four words that no one guesses'
  await enclave.call('create_vault', { passphrase }).then(answerOf)
  const { issuer_did } = await enclave.call('get_issuer_did').then(answerOf)
  const { key } = await enclave.call('generate_key').then(answerOf)
  const grant = { audience_did: key.did, command: '/notes', policy: [['<', '.size', 200]] }
  const { token } = await enclave.call('new_origin_token', grant).then(answerOf)
  for (let size = 0; size < 200; size += 1) {
    const request = {
      ...{ command: '/notes/read', args: { size }, subject_did: issuer_did },
      expires_at: size % 10 === 0 ? NOW + 100 : NOW + 1000,
      ...(size % 2 === 1 && { proof_token: token, key_id: key.key_id }),
      ...(size % 7 === 1 && { audience_did: key.did }),
    }
    invocations.push((await enclave.call('invoke', request).then(answerOf)).token)
  }
  invocations.push(...invocations.slice(0, 3), 'Cnonsense')
  checks = { audience: issuer_did, now: NOW + 500 }
  const input = { invocations, ...checks }
  expected = (await enclave.call('validate_batch', input).then(answerOf)).results
  await enclave.close()
})

const open: Pool[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()))
})

it('gives the same results as a single call, on every core', async () => {
  const pool = await createPool()
  open.push(pool)
  expect(pool.size).toBe(availableParallelism())
  expect(await pool.validateBatch({ invocations, ...checks })).toEqual(expected)
  const fates = new Set(expected.map((result) => (result.valid ? 'valid' : result.error.name)))
  expect([...fates].sort()).toEqual(['Expired', 'InvalidAudience', 'MalformedToken', 'Replayed', 'valid'])
})

it('continues after a thread has died, and after an abort', async () => {
  const threads: { connection: Connection; gone: (reason: string) => void }[] = []
  const real = planWorker({ keyless: true })
  const plan: WorkerPlan = {
    ...real,
    spawn: async (gone) => {
      const connection = await real.spawn(gone)
      threads.push({ connection, gone })
      return connection
    },
  }
  const wasm = fetchVerified(undefined, { timeout: 60_000, signal: undefined })
  const parts = { plan, wasm, allowedHosts: [], patience: 60_000, timeout: 60_000, signal: undefined }
  const pool = await startPool({ ...parts, size: 2 })
  open.push(pool)
  const done = pool.validateBatch({ invocations, ...checks })
  threads[0]?.connection.terminate()
  threads[0]?.gone('it was killed')
  expect(await done).toEqual(expected)
  expect(threads).toHaveLength(3)
  const caller = new AbortController()
  const aborted = pool.validateBatch({ invocations }, { signal: caller.signal })
  caller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  expect(await pool.validateBatch({ invocations, ...checks })).toEqual(expected)
})

it("rejects with a refusal's text", async () => {
  const pool = await createPool({ size: 1 })
  open.push(pool)
  await expect(pool.validateBatch({ invocations, revoked: ['no CID'] })).rejects.toMatchObject({
    name: 'EnclaveError',
    code: 'OPERATION_FAILED',
    details: { code: 'OPERATION_FAILED' },
  })
})
