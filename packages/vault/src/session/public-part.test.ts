import { afterEach, describe, expect, it } from 'vitest'
import { VaultError } from '../base/errors.ts'
import { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { publicPart } from './public-part.ts'
import { makeParts } from './vault-parts.ts'

freshBrowser()

const vaults: KeyVault[] = []
afterEach(async () => {
  await Promise.all(vaults.splice(0).map((vault) => vault.cleanup()))
})

const CODES = [
  'VAULT_NOT_INITIALIZED',
  'VAULT_ALREADY_INITIALIZED',
  'VAULT_LOCKED',
  'KEY_NOT_FOUND',
  'INVALID_KEY_TYPE',
  'OPERATION_FAILED',
  'INVALID_PASSPHRASE',
  'WASM_NOT_LOADED',
  'TIMEOUT',
]

/** What the layers below throw: the client's own code, the plugin's code in the details, and a foreign error. */
class Refusing {
  readonly prf = new Uint8Array([1, 2, 3])

  async client(): Promise<void> {
    throw new VaultError('NOT_INITIALIZED', 'Storage manager not initialized')
  }

  async plugin(): Promise<void> {
    throw new VaultError('OPERATION_FAILED', 'no such key', { code: 'KEY_NOT_FOUND' })
  }

  library(): Promise<void> {
    throw new TypeError('undefined is not a function')
  }

  async aborted(_request: { signal: AbortSignal }): Promise<void> {
    throw new VaultError('OPERATION_FAILED', 'ended')
  }

  async proven(_request: { proof: object }): Promise<string> {
    return `${this.prf.length} bytes`
  }

  async inside(): Promise<void> {}
}

function refusing() {
  const vault = new KeyVault({}, new EnclaveWorld())
  const { context } = makeParts({}, new EnclaveWorld(), vault, {
    takeUp: async () => undefined,
    followClient: async () => undefined,
  })
  const heard: string[] = []
  vault.on('vault:error', ({ code, operation }) => heard.push(`${operation}: ${code}`))
  const part = publicPart(context, new Refusing(), {
    client: 'client',
    plugin: 'plugin',
    library: 'library',
    aborted: 'aborted',
    proven: ({ proof }: { proof: object }) => (proof ? 'proven' : 'unproven'),
  })
  return { part, heard }
}

describe('the public side of a part', () => {
  it.each([
    ['client', 'VAULT_NOT_INITIALIZED'],
    ['plugin', 'KEY_NOT_FOUND'],
    ['library', 'OPERATION_FAILED'],
  ] as const)('%s: rejects with the key-vault layer’s error, and raises it', async (name, code) => {
    const { part, heard } = refusing()
    await expect(part[name]()).rejects.toMatchObject({ name: 'VaultError', code })
    expect(heard).toEqual([`${name}: ${code}`])
  })

  it('rejects with the caller’s own abort reason, and raises nothing', async () => {
    const { part, heard } = refusing()
    const reason = new Error('the page was left')
    await expect(part.aborted({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(heard).toEqual([])
  })

  it("overwrites a passkey's secret, and only that", async () => {
    const { part } = refusing()
    const [prf, other] = [new Uint8Array([1, 2]), new Uint8Array([3, 4])]
    expect(await part.proven({ proof: { passkey: { credential: 'C', prf } }, other } as never)).toBe(
      '3 bytes',
    )
    expect([...prf]).toEqual([0, 0])
    expect([...other]).toEqual([3, 4])
  })

  it('has only the named methods', () => {
    expect(Object.keys(refusing().part)).toEqual(['client', 'plugin', 'library', 'aborted', 'proven'])
  })
})

it('every method of an uninitialized vault answers, or is refused with one of the nine codes', async () => {
  const vault = new KeyVault({}, new EnclaveWorld())
  vaults.push(vault)
  const { tokens, mandates, payments, sessions, tabs, keys, unlockMethods, accounts, backups } = vault
  const { activity, settings } = vault
  const parts = {
    tokens,
    mandates,
    payments,
    sessions,
    tabs,
    keys,
    unlockMethods,
    accounts,
    backups,
    activity,
    settings,
  }
  const raised: string[] = []
  vault.on('vault:error', ({ code }) => raised.push(code))
  const refused: string[] = []
  for (const [name, part] of Object.entries(parts)) {
    for (const [method, call] of Object.entries(part)) {
      if (typeof call !== 'function') continue
      const given = [{ text: '', grant: {}, proof: { passphrase: '' }, exportPassphrase: '' }, {}]
      const outcome = await Promise.resolve(Reflect.apply(call, undefined, given)).then(
        () => 'done',
        (error: unknown) => error,
      )
      if (outcome === 'done') continue
      expect(outcome, `${name}.${method}`).toBeInstanceOf(VaultError)
      expect(CODES, `${name}.${method}`).toContain((outcome as VaultError).code)
      refused.push(`${name}.${method}`)
    }
  }
  expect(raised).toHaveLength(refused.length)
  expect(refused).toContain('tokens.grant')
  expect(refused.length).toBeGreaterThan(40)
})
