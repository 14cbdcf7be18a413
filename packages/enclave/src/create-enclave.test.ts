import { afterEach, describe, expect, it } from 'vitest'
import { createEnclave } from './create-enclave.ts'
import { EnclaveError, isRefusal } from './errors.ts'
import { standIn, standInModule } from './test/stand-in.ts'
import type { Enclave, EnclaveChange, EnclaveOptions } from './types.ts'

const open: Enclave[] = []

async function start(options: EnclaveOptions = {}): Promise<Enclave> {
  const enclave = await createEnclave({ source: standIn, ...options })
  open.push(enclave)
  return enclave
}

const inProcess = async () => start({ module: await standInModule() })

const heard = (enclave: Enclave) =>
  new Promise<EnclaveChange>((resolve) => {
    const stop = enclave.subscribe((change) => {
      stop()
      resolve(change)
    })
  })

afterEach(async () => {
  await Promise.all(open.splice(0).map((enclave) => enclave.close()))
})

describe.each<[string, () => Promise<Enclave>]>([
  ['in a thread', () => start()],
  ['in process', inProcess],
])('a call %s', (_where, start) => {
  it('keeps every digit of an integer, in and out', async () => {
    const enclave = await start()
    const input = { big: 2n ** 64n + 1n, small: -(2n ** 53n), plain: 7, text: '9007199254740993' }
    expect(await enclave.callByName('verify_token', input)).toEqual(input)
  })

  it('gives each of a thousand calls in flight its own answer, in order', async () => {
    const enclave = await start()
    const order: number[] = []
    const calls = Array.from({ length: 1000 }, async (_, index) => {
      const input = { index, text: 'ü'.repeat(index % 50) }
      expect(await enclave.callByName('verify_token', input)).toEqual(input)
      order.push(index)
    })
    await Promise.all(calls)
    expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  })

  it("can be made more often than Extism's table of blocks allows", { timeout: 60_000 }, async () => {
    const enclave = await start()
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 1000 }, () => enclave.callByName('verify_token', round)))
    }
    expect(await enclave.callByName('verify_token', 'still')).toBe('still')
  })

  it('returns a refusal as a value', async () => {
    const enclave = await start()
    const refusal = { error: 'no', code: 'OPERATION_FAILED', name: 'TooMuchWork' }
    const answer = await enclave.callByName('verify_token', refusal)
    expect(isRefusal(answer)).toBe(true)
    expect(answer).toEqual(refusal)
    expect(isRefusal({ valid: false, error: { name: 'Expired' } })).toBe(false)
  })

  it('returns nothing if the plugin returns nothing', async () => {
    expect(await (await start()).callByName('vault_status')).toBeUndefined()
  })

  it('rejects for an unknown export, and the next call succeeds', async () => {
    const enclave = await start()
    await expect(enclave.callByName('sign_data')).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: 'The enclave has no export sign_data.',
    })
    expect(await enclave.callByName('verify_token', 1)).toBe(1)
  })

  it('rejects for input that cannot be written as JSON', async () => {
    const circle: unknown[] = []
    circle.push(circle)
    await expect((await start()).callByName('verify_token', circle)).rejects.toThrow()
  })

  it('rejects after a trap; a fresh plugin answers the next', async () => {
    const enclave = await start()
    const change = heard(enclave)
    const trapped = enclave.callByName('list_keys')
    const after = enclave.callByName('verify_token', 'after')
    await expect(trapped).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await after).toBe('after')
    expect(await change).toEqual({ kind: 'restarted' })
  })
})

describe('a call that hangs', () => {
  it('ends a keyless worker after its timeout, and the next one answers the calls behind it', async () => {
    const enclave = await start({ keyless: true })
    const hung = enclave.callByName('inspect_token', {}, { timeout: 50 })
    const behind = Array.from({ length: 100 }, (_, index) => enclave.callByName('verify_token', index))
    await expect(hung).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'The enclave did not answer inspect_token within 50 ms.',
    })
    expect(await Promise.all(behind)).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })

  it('ends a keyless worker when its caller aborts', async () => {
    const enclave = await start({ keyless: true })
    const caller = new AbortController()
    const hung = enclave.callByName('inspect_token', {}, { signal: caller.signal })
    const behind = enclave.callByName('verify_token', 'behind')
    const reason = new Error('enough')
    caller.abort(reason)
    await expect(hung).rejects.toBe(reason)
    expect(await behind).toBe('behind')
  })

  it('ends a thread with a vault after its timeout: the calls behind it reject, and it says so', async () => {
    const enclave = await start()
    const change = heard(enclave)
    const hung = enclave.callByName('inspect_token', {}, { timeout: 50 })
    const behind = enclave.callByName('verify_token', 'behind')
    behind.catch(() => {})
    await expect(hung).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect(behind).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await change).toEqual({ kind: 'restarted' })
    expect(await enclave.callByName('verify_token', 'next')).toBe('next')
  })

  it('does not end the worker if it only waited behind another', async () => {
    const enclave = await start({ keyless: true })
    const hung = enclave.callByName('inspect_token', {}, { timeout: 200 })
    const impatient = enclave.callByName('verify_token', 'soon', { timeout: 20 })
    await expect(impatient).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect(hung).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})

describe('ending', () => {
  it("by the caller's abort rejects with its reason, before and during the start", async () => {
    const caller = new AbortController()
    const reason = new Error('gone')
    const starting = start({ signal: caller.signal })
    caller.abort(reason)
    await expect(starting).rejects.toBe(reason)
    await expect(start({ signal: caller.signal })).rejects.toBe(reason)
    const enclave = await start()
    await expect(enclave.callByName('verify_token', 1, { signal: caller.signal })).rejects.toBe(reason)
  })

  it('by close rejects calls in flight and later ones', async () => {
    const enclave = await start()
    const inFlight = enclave.callByName('inspect_token')
    inFlight.catch(() => {})
    await enclave.close()
    await expect(inFlight).rejects.toBeInstanceOf(EnclaveError)
    await expect(enclave.callByName('verify_token')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    await enclave.close()
  })

  it('a start that takes too long is a TIMEOUT', async () => {
    await expect(start({ loadTimeout: 1 })).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})

describe('where it runs', () => {
  it('in Node is our own thread', async () => {
    const enclave = await start({ account: 'kh1me' })
    expect(enclave.kind).toBe('worker-thread')
    expect(enclave.account).toBe('kh1me')
    await enclave.adopt('kh1other')
    expect(enclave.account).toBe('kh1other')
  })

  it("with a module is the caller's thread", async () => {
    expect((await inProcess()).kind).toBe('in-process')
    const module = await standInModule()
    await expect(start({ module, allowedHosts: ['did.example'] })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    const other = await WebAssembly.compile(standIn.bytes)
    await expect(start({ module: other })).rejects.toMatchObject({ code: 'WASM_NOT_LOADED' })
  })

  it('with an HTTP bridge and no JSPI, is the worker of Extism, without a vault', {
    timeout: 120_000,
  }, async () => {
    const enclave = await start({ allowedHosts: ['did.example'], account: 'kh1me' })
    expect(enclave.account).toBeUndefined()
    if ('Suspending' in WebAssembly) {
      expect(enclave.kind).toBe('worker-thread')
      return
    }
    expect(enclave.kind).toBe('extism-worker')
    expect(await enclave.callByName('verify_token', { n: 2n ** 70n })).toEqual({ n: 2n ** 70n })
    expect(await enclave.callByName('unlock_vault', { proof: { passphrase: 'x' } })).toMatchObject({
      code: 'OPERATION_FAILED',
      error: expect.stringContaining('holds no vault'),
    })
    await expect(enclave.callByName('inspect_token', {}, { timeout: 100 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    })
    // More calls than it takes for Extism's worker to be replaced.
    const calls = Array.from({ length: 5_000 }, (_, index) => enclave.callByName('verify_token', index))
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 5_000 }, (_, index) => index))
  })
})

it('our own thread notices a lock while it derives a key', async () => {
  const enclave = await createEnclave()
  open.push(enclave)
  const passphrase = 'correct horse battery staple'
  await enclave.call('create_vault', { passphrase })
  const again = { proof: { passphrase }, passphrase: 'another passphrase entirely' }
  const deriving = enclave.call('set_passphrase', again)
  // Waits until it has started: a call after its first answer has to get in between two steps.
  await enclave.call('vault_status', {}, { timeout: 1 }).catch(() => undefined)
  await enclave.call('lock_vault')
  expect(await deriving).toMatchObject({ code: 'VAULT_LOCKED' })
})
