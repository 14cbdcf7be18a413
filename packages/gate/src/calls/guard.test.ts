import { createEnclave } from '@keyhole/enclave'
import { createVerifier, memoryClaims, type Verifier } from '@keyhole/verify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMeter } from '../metrics/meter.ts'
import { owner, stranger } from '../test/parts.ts'
import { signedCall } from '../test/signed.ts'
import { createGuard } from './guard.ts'

const GATE = stranger.did

let enclave: Awaited<ReturnType<typeof createEnclave>>
beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
})
afterAll(() => enclave.close())

/** A guard of two calls at a time. Checks of `junk` take as long as the test does. */
async function begin() {
  const addresses: unknown[] = []
  const real = await createVerifier({
    ...{ subject: owner.did, audience: GATE, replay: memoryClaims(), enclave },
    revocations: { find: () => [] },
  })
  const verifier: Verifier = {
    ...real,
    check(token, expected, options) {
      addresses.push(options?.address)
      return token === 'junk' ? new Promise(() => {}) : real.check(token, expected, options)
    },
  }
  const guard = createGuard({
    ...{ name: 'api', concurrency: 2, verifier, meter: createMeter(['api']), clock: Date.now },
    recheck: async () => {},
    redactor: { text: (text) => text, json: (value) => value },
    log: { append: async () => {}, close: async () => {} },
    rules: { admit: async () => {} },
    refusals: { note() {} },
    uses: { called() {} },
    onError() {},
  } as Parameters<typeof createGuard>[0])
  /** @returns how it went. @param wait what carrying it out waits for */
  const run = (token: string, wait: () => Promise<unknown> = async () => {}, address?: string) =>
    guard
      .run(
        token,
        {
          request: ({ command }) => command,
          name: (command) => command,
          async carryOut() {
            await wait()
            return { answer: 'done', outcome: 'ok' }
          },
        },
        address,
      )
      .catch((error) => error.code)
  return { run, addresses }
}

let count = 0
function call(): string {
  count += 1
  return signedCall(GATE, '/http/get', { count })
}

/** Calls that are carried out until they are let go. */
function later() {
  let end = () => {}
  const until = new Promise<void>((resolve) => {
    end = resolve
  })
  return { wait: () => until, end: () => end() }
}

it('answers a call while as many tokens as may run are being checked', async () => {
  const { run } = await begin()
  for (let at = 0; at < 4; at += 1) void run('junk')
  expect(await run(call())).toBe('done')
})

it('tells the verifier where a call comes from', async () => {
  const { run, addresses } = await begin()
  expect(await run(call(), undefined, '192.0.2.1')).toBe('done')
  expect(await run(call())).toBe('done')
  expect(addresses).toEqual(['192.0.2.1', undefined])
})

it('refuses calls beyond as many as may run, which can be made again later', async () => {
  const { run } = await begin()
  const { wait, end } = later()
  const [first, second, third] = [call(), call(), call()]
  const running = [run(first, wait), run(second, wait)]
  // Checks are done in turn, so those two are running.
  expect(await run(third)).toBe('Busy')
  end()
  expect(await Promise.all(running)).toEqual(['done', 'done'])
  expect(await run(third)).toBe('done')
  expect(await run(third)).toBe('Replayed')
})

it('frees the place of each call that ends in any way', async () => {
  const { run } = await begin()
  const used = call()
  await run(used)
  for (let at = 0; at < 3; at += 1) expect(await run(used)).toBe('Replayed')
  const fail = () => Promise.reject(new Error('gone'))
  for (let at = 0; at < 3; at += 1) expect(await run(call(), fail)).toBe('Unavailable')
  expect(await run(call())).toBe('done')
})
