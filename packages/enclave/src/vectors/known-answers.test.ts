// Published test vectors through wasm, for the functions that seal and sign in a vault. The released artefact has no
// export for them alone, so `npm run wasm:check` builds one that has, and runs this. `cargo test` checks the core
// natively with the same vectors.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { isRefusal } from '../errors.ts'
import { fetchVerified } from '../loading/source.ts'
import { Plugin } from '../plugin/plugin.ts'

/** A build of the plugin with the feature `primitives`. */
const FILE = process.env.KEYHOLE_PRIMITIVES

/** Hexadecimal fields, except for the sizes. */
type Test = Record<string, string> & { tcId: number; result: string; size: number }
type Group = Record<string, string> & { tests: Test[] }

interface Wycheproof {
  numberOfTests: number
  testGroups: Group[]
}

interface Argon2Case {
  memory_kib: number
  passes: number
  lanes: number
  password: string
  salt: string
  secret: string
  associated: string
  tag: string
}

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), 'utf8'))

const bytes = (hex: string | undefined) => Buffer.from(hex ?? '', 'hex')
const base64url = (hex: string | undefined) => bytes(hex).toString('base64url')

let plugin: Plugin
beforeAll(async () => {
  if (!FILE) return
  const wasm = readFileSync(FILE)
  const source = { bytes: wasm, sha256: createHash('sha256').update(wasm).digest('hex') }
  plugin = await Plugin.create(await fetchVerified(source, { timeout: 30_000, signal: undefined }), {
    allowedHosts: [],
  })
})
let last: Promise<unknown> = Promise.resolve()

/** The answer of `primitive`; `undefined` if it refuses. */
async function ask(algorithm: string, input: object): Promise<Record<string, unknown> | undefined> {
  // A plugin takes one call at a time.
  const asked = last.then(() => plugin.call('primitive', JSON.stringify({ algorithm, ...input })))
  last = asked
  const answer: Record<string, unknown> = JSON.parse((await asked) ?? '{}')
  return isRefusal(answer) ? undefined : answer
}

/** Runs `check` for every test of a file, and reports those with another outcome. Returns how many there were. */
async function each(file: string, check: (test: Test, group: Group) => Promise<boolean>): Promise<number> {
  const { numberOfTests, testGroups }: Wycheproof = vector(`wycheproof/${file}.json`)
  const outcomes = testGroups.flatMap((group) =>
    group.tests.map(async (test) => ({ test, holds: await check(test, group) })),
  )
  const wrong = (await Promise.all(outcomes)).filter(({ holds }) => !holds)
  expect(wrong.map(({ test }) => `${test.tcId} ${test.comment}: ${test.result}`)).toEqual([])
  expect(outcomes.length).toBe(numberOfTests)
  return numberOfTests
}

async function verifies(algorithm: string, publicKey: Buffer, { msg, sig }: Test): Promise<boolean> {
  const answer = await ask(algorithm, {
    public_key: publicKey.toString('base64url'),
    message: base64url(msg),
    signature: base64url(sig),
  })
  return answer?.valid === true
}

/** The point in the vault's format. */
function compressed(point: Buffer): Buffer {
  const odd = (point[64] ?? 0) & 1
  return Buffer.concat([Buffer.from([2 + odd]), point.subarray(1, 33)])
}

describe.skipIf(!FILE)('Wycheproof, through wasm', () => {
  it('Ed25519', async () => {
    const count = await each('ed25519', async (test, { publicKey }) => {
      return (await verifies('ed25519', bytes(publicKey), test)) === (test.result === 'valid')
    })
    expect(count).toBe(151)
  })

  // A signature with s in the upper half of the group's order is refused, whatever the file says.
  it.each([
    ['p256', 'secp256r1', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n, 262],
    ['secp256k1', 'secp256k1', 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n, 252],
  ])('%s, except for high s', async (algorithm, curve, order, tests) => {
    let high = 0
    const count = await each(`ecdsa_${curve}_sha256_p1363`, async (test, { publicKey }) => {
      const s = test.sig?.length === 128 ? BigInt(`0x${test.sig.slice(64)}`) : 0n
      const isHigh = s > order / 2n
      if (isHigh && test.result === 'valid') high += 1
      const holds = await verifies(algorithm, compressed(bytes(publicKey)), test)
      return holds === (test.result === 'valid' && !isHigh)
    })
    expect(count).toBe(tests)
    expect(high).toBeGreaterThan(0)
  })

  it('XChaCha20-Poly1305', async () => {
    const count = await each('xchacha20_poly1305', async ({ key, iv, aad, msg, ct, tag, result }) => {
      const place = { key: base64url(key), nonce: base64url(iv), associated_data: base64url(aad) }
      const sealed = base64url(`${ct}${tag}`)
      const opened = await ask('xchacha20-poly1305', { ...place, sealed })
      if (result !== 'valid') return opened?.valid !== true
      const ours = await ask('xchacha20-poly1305', { ...place, plaintext: base64url(msg) })
      return opened?.plaintext === base64url(msg) && ours?.sealed === sealed
    })
    expect(count).toBe(315)
  })

  it('HKDF-SHA256', async () => {
    const count = await each('hkdf_sha256', async ({ ikm, salt, info, size, okm, result }) => {
      const input = { ikm: base64url(ikm), salt: base64url(salt), info: base64url(info), length: size }
      const answer = await ask('hkdf-sha256', input)
      return result === 'valid' ? answer?.output === base64url(okm) : answer === undefined
    })
    expect(count).toBe(86)
  })

  it('X25519, except for all-zero secrets', async () => {
    let refused = 0
    const count = await each('x25519', async ({ private: own, public: other, shared, result }) => {
      const input = { private_key: base64url(own), public_key: base64url(other) }
      const answer = await ask('x25519', input)
      if (!/^0+$/.test(shared ?? '')) return answer?.valid === true && answer.output === base64url(shared)
      refused += 1
      return result === 'acceptable' && answer?.valid === false
    })
    expect(count).toBe(518)
    expect(refused).toBeGreaterThan(0)
  })
})

describe.skipIf(!FILE)('Argon2id, through wasm', () => {
  const cases: Argon2Case[] = vector('argon2/argon2id.json').cases

  it('gives the answer of RFC 9106 and those of the reference implementation', async () => {
    expect(cases.length).toBe(9)
    for (const { password, salt, secret, associated, tag, ...cost } of cases) {
      const input = {
        ...cost,
        password: base64url(password),
        salt: base64url(salt),
        secret: base64url(secret),
        associated_data: base64url(associated),
        length: tag.length / 2,
      }
      expect(await ask('argon2id', input)).toEqual({ output: base64url(tag) })
    }
  })
})
