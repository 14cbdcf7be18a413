import {
  type AnyExport,
  createEnclave,
  type Enclave,
  EnclaveError,
  type EnclaveExport,
  TypedCalls,
} from '@keyhole/enclave'
import { afterEach, describe, expect, it } from 'vitest'
import { Screen } from './screen.ts'
import { ScreenedEnclave } from './screened-enclave.ts'

const PASSPHRASE = 'correct horse battery staple'
const open: { close(): Promise<void> }[] = []

interface Made {
  readonly name: AnyExport
  readonly input: unknown
}

/** An enclave that records its calls and can be told what to do before it answers. */
class Watched extends TypedCalls implements Enclave {
  readonly account = undefined
  readonly calls: Made[] = []
  readonly #enclave: Enclave
  readonly #before: (call: Made) => unknown

  constructor(enclave: Enclave, before: (call: Made) => unknown = () => undefined) {
    super()
    this.#enclave = enclave
    this.#before = before
  }

  get kind() {
    return this.#enclave.kind
  }

  async callByName(name: AnyExport, input?: unknown) {
    this.calls.push({ name, input })
    await this.#before({ name, input })
    return await this.#enclave.callByName(name, input)
  }

  adopt(account: string) {
    return this.#enclave.adopt(account)
  }

  subscribe() {
    return () => true
  }

  close() {
    return this.#enclave.close()
  }
}

async function start(before?: (call: Made) => unknown) {
  const keys = new Watched(await createEnclave())
  const keyless = new Watched(await createEnclave({ keyless: true }), before)
  let started = 0
  const screen = new Screen(async () => {
    started += 1
    return keyless
  })
  const enclave = new ScreenedEnclave(keys, screen)
  open.push(enclave, screen)
  await enclave.call('create_vault', { passphrase: PASSPHRASE })
  const { issuer_did } = Object(await enclave.call('get_issuer_did'))
  const grant = async (parent_token?: unknown) => {
    const input = {
      audience_did: issuer_did,
      command: '/a',
      ...(parent_token !== undefined && { parent_token }),
    }
    return Object(await enclave.call(parent_token ? 'new_attenuated_token' : 'new_origin_token', input))
  }
  keys.calls.length = 0
  return { enclave, keys: keys.calls, keyless: keyless.calls, grant, started: () => started }
}

const names = (calls: readonly Made[]) => calls.map(({ name }) => name)

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

describe('texts from strangers', () => {
  it('are sent one long text per task, so that the page can hear about a lock in between', async () => {
    const { enclave, keyless } = await start()
    await enclave.call('inspect_token', { token: 'C' })
    const before = keyless.length
    const token = 'C'.repeat(1_000_000)
    const checks = [1, 2, 3].map(() => enclave.call('verify_token', { token }))
    // Lets everything happen that can within the same task.
    for (let step = 0; step < 50; step += 1) await null
    expect(keyless).toHaveLength(before + 1)
    const verdicts = await Promise.all(checks)
    expect(verdicts.map((verdict) => Object(verdict).valid)).toEqual([false, false, false])
    expect(keyless).toHaveLength(before + 3)
  })

  it('are checked and shown without the enclave that has the keys', async () => {
    const { enclave, keys, grant } = await start()
    const { token } = await grant()
    expect(await enclave.call('inspect_token', { token })).toMatchObject({
      tokens: [{ signature_valid: true }],
    })
    expect(await enclave.call('verify_token', { token })).toMatchObject({ valid: true })
    expect(await enclave.call('validate_invocation', { invocation: token })).toMatchObject({ valid: false })
    expect(names(keys)).toEqual(['new_origin_token'])
  })

  it('get addresses of the account’s own network, even when checked without the account', async () => {
    const { enclave } = await start()
    await enclave.call('close_vault')
    await enclave.call('create_vault', { passphrase: PASSPHRASE, chain_id: 'elsewhere-7' })
    const own = Object(await enclave.call('get_issuer_did'))
    const input = { audience_did: own.issuer_did, command: '/a' }
    const { token } = Object(await enclave.call('new_origin_token', input))
    expect(await enclave.call('verify_token', { token })).toMatchObject({ address: own.address })
  })

  it('reach the keys once they have passed, and are remembered', async () => {
    const { keys, keyless, grant, started } = await start()
    const { token } = await grant()
    expect(started()).toBe(0)
    await grant(token)
    await grant(token)
    expect(names(keyless)).toEqual(['verify_token'])
    expect(names(keys)).toEqual(['new_origin_token', 'new_attenuated_token', 'new_attenuated_token'])
    expect(started()).toBe(1)
  })

  it('never reach the keys if they cannot be read', async () => {
    const { enclave, keys } = await start()
    const invoke = { command: '/a', args: {}, subject_did: 'did:web:a.example', proof_token: 'Cnonsense' }
    const requests: [EnclaveExport, object][] = [
      [
        'new_attenuated_token',
        { audience_did: 'did:web:a.example', command: '/a', parent_token: 'Cnonsense' },
      ],
      ['invoke', invoke],
      ['revoke', { cid: 'b', proof_token: 'Cnonsense' }],
      ['revoke', { cid: 'b', token: 'Cnonsense' }],
      ['countersign_payment', { request: 'Cnonsense' }],
      ['countersign_payment', { request: '', revocations: ['Cnonsense'] }],
    ]
    for (const [name, input] of requests) {
      expect(await enclave.call(name, input), name).toMatchObject({
        code: 'OPERATION_FAILED',
        name: 'MalformedToken',
      })
    }
    expect(keys).toEqual([])
  })

  it('never reach the keys if they take too long, and do not block locking', async () => {
    let end = () => {}
    const costly = new Promise<never>((_, reject) => {
      end = () => reject(new EnclaveError('TIMEOUT', 'too late'))
    })
    const isCostly = ({ input }: Made) => JSON.stringify(input).includes('costly')
    const { enclave, keys } = await start((call) => (isCostly(call) ? costly : undefined))
    const request = enclave.call('countersign_payment', { request: 'costly' })
    expect(await enclave.call('lock_vault')).toMatchObject({ status: { locked: true } })
    end()
    expect(await request).toMatchObject({ code: 'TIMEOUT', name: 'TooMuchWork' })
    expect(names(keys)).toEqual(['lock_vault'])
  })

  it('do not pass if the enclave that checks them fails', async () => {
    let fails = true
    const trap = () => {
      if (fails) throw new EnclaveError('OPERATION_FAILED', 'it trapped')
    }
    const { enclave, keys } = await start(trap)
    const input = { audience_did: 'did:web:a.example', command: '/a', parent_token: 'C' }
    await expect(enclave.call('new_attenuated_token', input)).rejects.toThrow('it trapped')
    fails = false
    expect(await enclave.call('new_attenuated_token', input)).toMatchObject({ name: 'MalformedToken' })
    expect(keys).toEqual([])
  })
})
