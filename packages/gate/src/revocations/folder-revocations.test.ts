import { appendFile, mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEnclave, type Enclave } from '@keyhole/enclave'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Value } from '../../../enclave/src/test/naive-evaluator.ts'
import {
  base58,
  container,
  delegation,
  type Fields,
  invocation,
  revocation,
} from '../../../enclave/src/test/naive-tokens.ts'
import { folder, owner, stranger } from '../test/parts.ts'
import { folderRevocations, keepRevocation } from './folder-revocations.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
})
afterAll(() => enclave.close())
afterEach(() => {
  vi.useRealTimers()
})

/** Lets the clock go on, but not that of the file system. */
function later(milliseconds: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

/** The source, and how many texts it had the enclave read. */
async function source() {
  const path = join(await folder(), 'revocations')
  let asked = 0
  const counted: Pick<Enclave, 'call'> = {
    call(name, ...rest) {
      if (name === 'inspect_token') asked += 1
      return enclave.call(name, ...rest)
    },
  }
  return { path, source: folderRevocations(path, counted), asked: () => asked }
}

const grants = [1n, 2n, 3n].map((exp) =>
  delegation(owner, stranger, { cmd: '/a', exp: exp + 4_000_000_000n }),
)
const revocationOf = (at: number) => container([revocation(owner, grants[at] as (typeof grants)[number])])
const chain = grants.map(({ cid }) => ({ cid, issuer: owner.did }))

it('finds each new file with the next call', async () => {
  const { path, source: revocations } = await source()
  expect(await revocations.find(owner.did, chain)).toEqual([])
  await mkdir(path)
  for (const at of [0, 1, 2]) {
    await writeFile(join(path, `${at}.token`), revocationOf(at))
    expect(await revocations.find(owner.did, chain)).toHaveLength(at + 1)
  }
})

it('keeps none that is longer than it reads, and says so', async () => {
  const { path, source: revocations } = await source()
  const ofLength = (length: number) => {
    const made = (more: number) =>
      container([
        revocation(owner, grants[0] as (typeof grants)[number], {
          meta: new Map([['x', new Uint8Array(more)]]),
        }),
      ])
    const some = made(length / 2)
    return made(length / 2 + Math.floor(((length - some.length) * 3) / 4))
  }
  const long = ofLength(131_200)
  await expect(keepRevocation(path, enclave, long)).rejects.toMatchObject({ code: 'REVOCATION_TOO_LONG' })
  const most = ofLength(131_060)
  expect(most.length).toBeLessThanOrEqual(131_072)
  expect(await keepRevocation(path, enclave, most)).toBeDefined()
  expect(await revocations.find(owner.did, chain)).toEqual([most])
})

it('finds one that names the delegation by a text, in base32 and in base58btc', async () => {
  const { path, source: revocations } = await source()
  await mkdir(path)
  const [{ cid, link } = grants[0] as never] = grants
  for (const [at, named] of [cid, `z${base58(Buffer.from(link.bytes))}`].entries()) {
    const args = new Map([['revoke', named]])
    const text = container([revocation(owner, grants[0] as (typeof grants)[number], { args })])
    expect(await keepRevocation(path, enclave, text)).toEqual({ revokes: cid })
    expect(await revocations.find(owner.did, chain.slice(0, 1))).toHaveLength(at + 1)
  }
})

describe('a revocation that cannot be shown', () => {
  const slash = new Map([['/', 'x']])
  const [grant] = grants as [(typeof grants)[number], ...typeof grants]
  const link = chain.slice(0, 1)
  const named = (more: [string, Value][] = []) => new Map<string, Value>([['revoke', grant.link], ...more])

  it.each<[string, Fields, boolean]>([
    ['with a map in `meta` that DAG-JSON keeps for links', { meta: new Map([['a', slash]]) }, true],
    ['that has expired too', { meta: slash, exp: 1n }, true],
    ['with such a map in its arguments', { args: named([['a', slash]]) }, false],
  ])('counts: one %s', async (_name, fields, isShown) => {
    const { path, source: revocations } = await source()
    const text = container([revocation(owner, grant, fields)])
    expect(await enclave.call('inspect_token', { token: text })).toMatchObject({ name: 'MalformedToken' })
    expect(await keepRevocation(path, enclave, text)).toEqual({ revokes: isShown ? grant.cid : undefined })
    expect(await revocations.find(owner.did, link)).toEqual([text])
    const call = container([grant, invocation(stranger, owner, [grant], { cmd: '/a' })])
    for (const [texts, verdict] of [
      [[], { valid: true }],
      [[text], { valid: false, error: expect.objectContaining({ name: 'Revoked' }) }],
    ] as const)
      expect(
        await enclave.call('validate_invocation', { invocation: call, revocations: texts }),
      ).toMatchObject(verdict)
  })

  it('is no other invocation, and no grant', async () => {
    const { path, source: revocations } = await source()
    const meta = slash
    for (const token of [invocation(owner, owner, [], { meta }), delegation(owner, stranger, { meta })])
      expect(await keepRevocation(path, enclave, container([token]))).toBeUndefined()
    expect(await revocations.find(owner.did, chain)).toEqual([])
  })
})

it('finds a new file in a folder that has been still for a while, and one that is renamed into it', async () => {
  const { path, source: revocations, asked } = await source()
  await mkdir(path)
  await writeFile(join(path, '0.token'), revocationOf(0))
  expect(await revocations.find(owner.did, chain)).toHaveLength(1)
  later(2_200)
  expect(await revocations.find(owner.did, chain)).toHaveLength(1)
  expect(asked()).toBe(1)
  await writeFile(join(path, '1.new'), revocationOf(1))
  await rename(join(path, '1.new'), join(path, '1.token'))
  // A copy that keeps times must not hide it.
  await utimes(path, 1, 1)
  expect(await revocations.find(owner.did, chain)).toHaveLength(2)
})

it('reads a file again while it is still being written, and one that is not a revocation once', async () => {
  const { path, source: revocations, asked } = await source()
  await mkdir(path)
  await writeFile(join(path, 'junk.token'), 'this is nothing')
  const text = revocationOf(0)
  await writeFile(join(path, 'slow.token'), text.slice(0, 50))
  for (let call = 0; call < 20; call += 1) expect(await revocations.find(owner.did, chain)).toEqual([])
  expect(asked()).toBe(2)
  await appendFile(join(path, 'slow.token'), text.slice(50))
  expect(await revocations.find(owner.did, chain)).toHaveLength(1)
  later(1_200)
  await writeFile(join(path, 'junk.token'), revocationOf(1))
  expect(await revocations.find(owner.did, chain)).toHaveLength(2)
})
