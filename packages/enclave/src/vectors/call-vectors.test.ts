// An invocation as text: the enclave writes what `vectors/keyhole/calls.json` says.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InProcessEnclave, inProcessEnclave } from '../test/in-process.ts'

interface CallVectors {
  keys: { alice: string; bob: string }
  /** Seconds since 1970. */
  now: number
  nonce: string
  command: string
  subject: string
  audience: string
  grant: string
  cases: { name: string; args: object; compressed: boolean; plain: string }[]
}

const folder = new URL('../../../../vectors/', import.meta.url)
const file = readFileSync(new URL('keyhole/calls.json', folder), 'utf8')
const vectors: CallVectors = JSON.parse(file)
const moment = { now: vectors.now * 1_000, random: Buffer.from(vectors.nonce, 'hex') }

let enclave: InProcessEnclave
beforeAll(async () => {
  enclave = await inProcessEnclave()
  // RFC 8410.
  const key = { text: `302e020100300506032b657004220420${vectors.keys.bob}`, format: 'pkcs8' }
  await enclave.call('create_vault', { passphrase: 'four words that no one guesses', key })
})
afterAll(() => enclave.close())

it.each(vectors.cases)('$name', async ({ args, compressed, plain }) => {
  const { command, subject, audience, grant } = vectors
  const call = { command, args, subject_did: subject, audience_did: audience, proof_token: grant }
  const made = await enclave.call('invoke', call, moment)
  const token = String(Reflect.get(Object(made), 'token'))
  expect(token.startsWith('P')).toBe(compressed)
  if (!compressed) expect(token).toBe(plain)
  const inside = async (text: string) => {
    const inspected = Object(await enclave.call('inspect_token', { token: text }))
    return inspected.tokens.map(({ cid }: { cid: string }) => cid)
  }
  expect(await inside(token)).toEqual(await inside(plain))
})

it('revocations and receipts are stored and passed on, so they are as short as they can be', async () => {
  const { audience, cases } = vectors
  const grant = await enclave.call(
    'new_origin_token',
    { audience_did: audience, command: '/msg', meta: { filler: 'a'.repeat(200) } },
    moment,
  )
  const { cid, token } = Object(grant)
  expect(token).toMatch(/^P/)
  expect(Object(await enclave.call('revoke', { cid }, moment)).token).toMatch(/^[CP]/)
  const receipt = await enclave.call('issue_receipt', { task: cid, ok: cases[1]?.args }, moment)
  expect(Object(receipt).token).toMatch(/^P/)
})

it('the file is exactly what the generator writes', async () => {
  const { callVectors } = await import(new URL('generate/calls.mjs', folder).href)
  expect(callVectors() === file, 'run: node vectors/generate/main.mjs').toBe(true)
})
