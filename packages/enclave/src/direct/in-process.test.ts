// The enclave in this thread, with the plugin.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../create-enclave.ts'
import { answerOf } from '../errors.ts'
import type { Enclave } from '../types.ts'
import { compileEnclave } from './compile-enclave.ts'
import { DirectPlugin } from './direct-plugin.ts'

const PASSPHRASE = 'correct horse battery staple'
const proof = { passphrase: PASSPHRASE }
const open: Enclave[] = []
let module: WebAssembly.Module
beforeAll(async () => {
  module = await compileEnclave()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((enclave) => enclave.close()))
})

async function start(): Promise<Enclave> {
  const enclave = await createEnclave({ module })
  open.push(enclave)
  return enclave
}

describe('a vault in process', () => {
  it('creates tokens, locks, unlocks and verifies', async () => {
    const enclave = await start()
    answerOf(await enclave.call('create_vault', { passphrase: PASSPHRASE }))
    const { issuer_did } = answerOf(await enclave.call('get_issuer_did'))
    const grant = { audience_did: issuer_did, command: '/notes/read' }
    const { token } = answerOf(await enclave.call('new_origin_token', grant))
    expect(await enclave.call('lock_vault')).toMatchObject({ status: { locked: true } })
    expect(await enclave.call('new_origin_token', grant)).toMatchObject({ code: 'VAULT_LOCKED' })
    expect(await enclave.call('verify_token', { token })).toMatchObject({ valid: true })
    expect(await enclave.call('unlock_vault', { proof })).toMatchObject({ status: { locked: false } })
  })

  it('does other work while deriving a key, and cancels that for a lock', async () => {
    const enclave = await start()
    answerOf(await enclave.call('create_vault', { passphrase: PASSPHRASE }))
    const deriving = enclave.call('set_passphrase', { proof, passphrase: 'another passphrase entirely' })
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(await enclave.call('lock_vault')).toMatchObject({ status: { locked: true } })
    expect(await deriving).toMatchObject({ code: 'VAULT_LOCKED' })
  })

  it('is separate for each enclave', async () => {
    const [one, other] = [await start(), await start()]
    answerOf(await one.call('create_vault', { passphrase: PASSPHRASE }))
    expect(await other.call('vault_status')).toMatchObject({ status: { initialized: false } })
  })
})

it('overwrites its input, and its whole memory at the end', () => {
  const plugin = new DirectPlugin(module)
  const input = new TextEncoder().encode(JSON.stringify({ passphrase: PASSPHRASE }))
  expect(plugin.call('create_vault', input)).toContain('"initialized":true')
  expect(input.every((byte) => byte === 0)).toBe(true)
  const memory = () => Buffer.from(plugin.memory.buffer)
  expect(memory().includes(PASSPHRASE)).toBe(false)
  plugin.wipe()
  expect(memory().equals(Buffer.alloc(memory().length))).toBe(true)
})
