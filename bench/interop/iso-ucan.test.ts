// Against iso-ucan 0.5.0. It writes the release candidate's tag, which we refuse by name, so its tokens get the final tag and a new
// signature before we read them. iso-ucan itself reads any version.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ECDSASigner } from 'iso-signatures/signers/ecdsa.js'
import { EdDSASigner } from 'iso-signatures/signers/eddsa.js'
import { ES256KSigner } from 'iso-signatures/signers/es256k.js'
import type { VerifyInput } from 'iso-signatures/types'
import * as ECDSA from 'iso-signatures/verifiers/ecdsa.js'
import * as EdDSA from 'iso-signatures/verifiers/eddsa.js'
import { Resolver } from 'iso-signatures/verifiers/resolver.js'
import { Delegation } from 'iso-ucan/delegation'
import { Invocation } from 'iso-ucan/invocation'
import { validate } from 'iso-ucan/policy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnclave } from '../../packages/enclave/src/create-enclave.ts'
import { answerOf } from '../../packages/enclave/src/errors.ts'
import { encode, encodeMap, head } from '../../packages/enclave/src/test/naive-cbor.ts'
import type { Value } from '../../packages/enclave/src/test/naive-evaluator.ts'
import {
  container,
  delegation,
  type Fields,
  invocation,
  type Person,
  person,
  record,
  signBytes,
  type Token,
  tokenOf,
  tokensIn,
} from '../../packages/enclave/src/test/naive-tokens.ts'
import type {
  CallArguments,
  Enclave,
  EnclaveAnswer,
  EnclaveExport,
} from '../../packages/enclave/src/types.ts'

const NOW = Math.floor(Date.now() / 1000)
const LATER = NOW + 3_600

const verifierResolver = new Resolver({
  ...EdDSA.verifier,
  ...ECDSA.verifier,
  // iso-ucan signs with secp256k1 but has no verifier for it.
  ES256K: async ({ signature, message, did }: VerifyInput) =>
    secp256k1.verify(signature, message, did.verifiableDid.publicKey),
})

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
})
afterAll(() => enclave.close())

async function call<Name extends EnclaveExport>(
  name: Name,
  ...given: CallArguments<Name>
): Promise<EnclaveAnswer<Name>> {
  return answerOf(await enclave.call(name, ...given))
}

const validated = (text: string, checks: object = {}) =>
  call('validate_invocation', { invocation: text, now: NOW, ...checks })

/** Whether iso-ucan accepts an invocation. Its proofs are supplied on request. */
async function isoTakes(bytes: Uint8Array, resolve: (cid: string) => Token): Promise<boolean> {
  try {
    await Invocation.from({
      bytes,
      verifierResolver,
      resolveProof: async (cid) =>
        Delegation.from({ bytes: resolve(cid.toString()).bytes, verifierResolver }),
    })
    return true
  } catch {
    return false
  }
}

const among =
  (...proofs: Token[]) =>
  (cid: string): Token => {
    const proof = proofs.find((token) => token.cid === cid)
    if (!proof) throw new Error('There is no such proof.')
    return proof
  }

const [alice, bob, carol] = [1, 2, 3].map(person) as [Person, Person, Person]

/** The only token in a text. */
function only(text: string): Token {
  const [token, ...others] = tokensIn(text)
  if (!token || others.length > 0) throw new Error('There is not just one token here.')
  return token
}

describe('iso-ucan reads', () => {
  let keys: readonly { readonly key_id: string; readonly did: string; readonly key_type: string }[]
  beforeAll(async () => {
    await call('create_vault', { passphrase: 'four words that nobody guesses' })
    await call('generate_key', { key_type: 'p256' })
    await call('generate_key', { key_type: 'secp256k1' })
    keys = (await call('list_keys', {})).keys
  })

  it.each(['ed25519', 'p256', 'secp256k1'])('a delegation that we issue with %s', async (type) => {
    const key = keys.find(({ key_type }) => key_type === type)
    const issued = await call('new_origin_token', {
      audience_did: bob.did,
      command: '/msg/send',
      policy: [['like', '.to', '*@example.com']],
      expires_at: LATER,
      meta: { note: 'ä' },
      key_id: key?.key_id,
    })
    const read = await Delegation.from({ bytes: only(issued.token).bytes, verifierResolver })
    expect(read.cid.toString()).toBe(issued.cid)
    expect(read).toMatchObject({
      iss: key?.did,
      aud: bob.did,
      sub: key?.did,
      cmd: '/msg/send',
      pol: [['like', '.to', '*@example.com']],
      exp: LATER,
      meta: { note: 'ä' },
    })
  })

  it('an invocation that we make with a chain that we narrowed', async () => {
    const [root, middle, leaf] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]
    const origin = await call('new_origin_token', {
      audience_did: middle.did,
      command: '/msg',
      key_id: root.key_id,
    })
    const narrowed = await call('new_attenuated_token', {
      parent_token: origin.token,
      audience_did: leaf.did,
      command: '/msg/send',
      policy: [['==', '.to', 'bob']],
    })
    const invoked = await call('invoke', {
      command: '/msg/send',
      args: { to: 'bob', amount: 3 },
      subject_did: root.did,
      proof_token: narrowed.token,
    })
    const tokens = tokensIn(invoked.token)
    const own = among(...tokens)(invoked.cid)
    const read = await Invocation.from({
      bytes: own.bytes,
      verifierResolver,
      resolveProof: async (cid) => {
        const { bytes } = among(...tokens)(cid.toString())
        return Delegation.from({ bytes, verifierResolver })
      },
    })
    expect(read.cid.toString()).toBe(invoked.cid)
    expect(read.payload).toMatchObject({ iss: leaf.did, sub: root.did, args: { to: 'bob', amount: 3 } })
    expect(read.delegations.map(({ cid }) => cid.toString())).toEqual([origin.cid, narrowed.cid])
  })
})

/** Any of iso-ucan's signers, whatever its algorithm. */
interface Signer {
  readonly did: string
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/** With this project's strict settings, iso-ucan's signer and DID types don't match what its own functions take. */
type DelegationOptions = Parameters<typeof Delegation.create>[0]
type InvocationOptions = Parameters<typeof Invocation.create>[0]

const issueTheirs = (options: { iss: Signer; aud: string; sub: string; [name: string]: unknown }) =>
  Delegation.create(options as unknown as DelegationOptions)
const invokeTheirs = (options: { iss: Signer; sub: string; [name: string]: unknown }) =>
  Invocation.create(options as unknown as InvocationOptions)

/** The token with the final tag and a new signature. */
async function underFinalTag(bytes: Uint8Array, kind: 'dlg' | 'inv', signer: Signer): Promise<Token> {
  const candidate = encode(`ucan/${kind}@1.0.0-rc.1`)
  const signed = Buffer.from(bytes.subarray(67))
  const at = signed.indexOf(candidate)
  expect(at).toBeGreaterThan(0)
  const changed = Buffer.concat([
    signed.subarray(0, at),
    encode(`ucan/${kind}@1.0.0`),
    signed.subarray(at + candidate.length),
  ])
  const signature = Buffer.from(await signer.sign(changed))
  return envelope(signer.did.startsWith('did:key:zDn') ? withLowS(signature) : signature, changed)
}

function envelope(signature: Buffer, signedPart: Buffer): Token {
  return tokenOf(Buffer.concat([head(4, 2), encode(signature), signedPart]))
}

/** The order of P-256's group. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** iso-ucan signs P-256 with WebCrypto, which returns the larger value of s as often as the smaller. */
function withLowS(signature: Buffer): Buffer {
  const s = BigInt(`0x${signature.toString('hex', 32)}`)
  return s > ORDER / 2n ? withOtherS(signature) : signature
}

function withOtherS(signature: Buffer): Buffer {
  const s = ORDER - BigInt(`0x${signature.toString('hex', 32)}`)
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
}

const SIGNERS: Record<string, () => Promise<Signer> | Signer> = {
  Ed25519: () => EdDSASigner.generate(),
  ES256: () => ECDSASigner.generate('P-256'),
  ES256K: () => ES256KSigner.generate(),
}

describe('we read what iso-ucan writes', () => {
  it('only with the final tag', async () => {
    const signer = await EdDSASigner.generate()
    const theirs = await issueTheirs({
      iss: signer,
      aud: bob.did,
      sub: signer.did,
      cmd: '/msg',
      pol: [],
    })
    const token = Buffer.from(theirs.bytes).toString('base64')
    expect(await call('verify_token', { token })).toMatchObject({
      valid: false,
      error: { name: 'UnsupportedVersion' },
    })
  })

  it.each(Object.entries(SIGNERS))('a delegation signed with %s', async (algorithm, generate) => {
    const signer = await generate()
    const theirs = await issueTheirs({
      iss: signer,
      aud: bob.did,
      sub: signer.did,
      cmd: '/msg/send',
      pol: [['==', '.to', ['a', { b: 1 }]]],
      exp: LATER,
      meta: { big: 2n ** 60n, half: 0.5 },
    })
    const { bytes, cid } = await underFinalTag(theirs.bytes, 'dlg', signer)
    const token = bytes.toString('base64url')
    expect(await call('inspect_token', { token })).toMatchObject({
      tokens: [
        {
          cid,
          algorithm,
          signature_valid: true,
          payload: {
            iss: signer.did,
            aud: bob.did,
            cmd: '/msg/send',
            pol: [['==', '.to', ['a', { b: 1 }]]],
            exp: LATER,
            meta: { big: 2n ** 60n, half: 0.5 },
          },
        },
      ],
    })
    expect(await call('verify_token', { token })).toMatchObject({ valid: true, chain: [{ cid }] })
  })

  it('an invocation and its chain', async () => {
    const [owner, agent] = await Promise.all([EdDSASigner.generate(), ECDSASigner.generate('P-256')])
    const candidate = await issueTheirs({
      iss: owner,
      aud: agent.did,
      sub: owner.did,
      cmd: '/msg',
      pol: [['any', '.to', ['like', '.', '*@example.com']]],
    })
    const root = await underFinalTag(candidate.bytes, 'dlg', owner)
    const proof = await Delegation.from({ bytes: root.bytes, verifierResolver })
    expect(proof.cid.toString()).toBe(root.cid)
    const theirs = await invokeTheirs({
      iss: agent,
      sub: owner.did,
      cmd: '/msg/send',
      args: { to: ['bob@example.com'] },
      prf: [proof],
      verifierResolver,
    })
    const own = await underFinalTag(theirs.bytes, 'inv', agent)
    expect(await validated(container([own, root]), { audience: owner.did })).toMatchObject({
      valid: true,
      cid: own.cid,
      command: '/msg/send',
      args: { to: ['bob@example.com'] },
      issuer: agent.did,
      subject: owner.did,
      chain: [{ cid: root.cid }],
    })
  })
})

describe('what iso-ucan accepts and we refuse', () => {
  it('a command whose name only starts like the delegated one', async () => {
    const root = delegation(alice, bob, { cmd: '/crypto' })
    const own = invocation(bob, alice, [root], { cmd: '/cryptocurrency' })
    expect(await isoTakes(own.bytes, among(root))).toBe(true)
    expect(await validated(container([root, own]))).toMatchObject({
      valid: false,
      error: { name: 'InvalidCommand', cid: own.cid },
    })
  })

  it('a policy with a path of which iso-ucan drops an unknown part', async () => {
    const pol: Value = [['!=', '.to["banned"]', true]]
    const args = new Map([['to', new Map([['banned', true]])]])
    const root = delegation(alice, bob, { pol })
    const own = invocation(bob, alice, [root], { args })
    expect(await isoTakes(own.bytes, among(root))).toBe(true)
    expect(await validated(container([root, own]))).toMatchObject({
      valid: false,
      error: { name: 'MatchError', cid: root.cid },
    })
  })

  it.each<[string, Value]>([
    ['a path that does not parse', ['!=', '.to|length', true]],
    ['the opposite of an unknown operator', ['not', ['frobnicate', '.to', true]]],
    ['a statement with an extra part', ['==', '.to', 'bob', 'and more']],
  ])('a policy with %s', async (_name, statement) => {
    const root = delegation(alice, bob, { pol: [statement] })
    const own = invocation(bob, alice, [root], { args: new Map([['to', 'bob']]) })
    expect(await isoTakes(own.bytes, among(root))).toBe(true)
    expect(await validated(container([root, own]))).toMatchObject({
      valid: false,
      error: { name: 'MalformedToken', cid: root.cid },
    })
  })

  it('an order of numbers with an integer beyond 2^53, rounded', async () => {
    expect(validate({ amount: Number(2n ** 53n + 1n) }, [['<=', '.amount', 2 ** 53]])).toBe(true)
    const root = delegation(alice, bob, { pol: [['<=', '.amount', 2n ** 53n]] })
    const own = invocation(bob, alice, [root], { args: new Map([['amount', 2n ** 53n + 1n]]) })
    expect(await validated(container([root, own]))).toMatchObject({ error: { name: 'MatchError' } })
  })

  it('a second signature, and so a second CID, that anyone can make from a P-256 one', async () => {
    const signer = await ECDSASigner.generate('P-256')
    const options = { iss: signer, aud: bob.did, sub: signer.did, cmd: '/msg', pol: [] }
    const low = await underFinalTag((await issueTheirs(options)).bytes, 'dlg', signer)
    const high = envelope(withOtherS(low.bytes.subarray(3, 67)), low.bytes.subarray(67))
    expect(high.cid).not.toBe(low.cid)
    for (const { bytes } of [low, high]) {
      expect(await Delegation.from({ bytes, verifierResolver })).toMatchObject({ aud: bob.did })
    }
    expect(await call('verify_token', { token: container([low]) })).toMatchObject({ valid: true })
    expect(await call('verify_token', { token: container([high]) })).toMatchObject({
      valid: false,
      error: { name: 'InvalidSignature', cid: high.cid },
    })
  })

  it('a proof other than the one that was named', async () => {
    const named = delegation(alice, bob, { pol: [['==', '.to', 'carol']] })
    const other = delegation(alice, bob)
    const own = invocation(bob, alice, [named], { args: new Map([['to', 'mallory']]) })
    expect(await isoTakes(own.bytes, () => other)).toBe(true)
    expect(await validated(container([other, own]))).toMatchObject({
      valid: false,
      error: { name: 'UnavailableProof', cid: named.cid },
    })
  })

  it('the same invocation twice', async () => {
    const own = invocation(alice, alice, [])
    expect(await isoTakes(own.bytes, among())).toBe(true)
    expect(await isoTakes(own.bytes, among())).toBe(true)
    const text = container([own])
    expect(await validated(text)).toMatchObject({ valid: true, cid: own.cid })
    expect(await validated(text, { seen: [own.cid] })).toMatchObject({
      error: { name: 'Replayed', cid: own.cid },
    })
    expect(await call('validate_batch', { invocations: [text, text], now: NOW })).toMatchObject({
      results: [{ valid: true }, { error: { name: 'Replayed', cid: own.cid } }],
    })
  })

  it('an invocation with the start time that only delegations have', async () => {
    const own = invocation(alice, alice, [], { nbf: BigInt(LATER) })
    expect(await isoTakes(own.bytes, among())).toBe(true)
    expect(await validated(container([own]))).toMatchObject({ error: { name: 'MalformedToken' } })
  })

  const payload: Fields = {
    iss: alice.did,
    sub: alice.did,
    cmd: '/msg',
    args: new Map(),
    prf: [],
    nonce: Buffer.alloc(12),
    exp: null,
  }
  const header = Buffer.from('3401ed01ed011371', 'hex')
  const entries: [string, Value][] = [
    ['h', header],
    ['ucan/inv@1.0.0', record(payload)],
  ]
  const signature = encode(signBytes(alice, encodeMap(entries)))

  it.each<[string, Buffer]>([
    [
      'an envelope with a third element',
      Buffer.concat([head(4, 3), signature, encodeMap(entries), encode('extra')]),
    ],
    [
      'an envelope with one more key, which no one signed',
      Buffer.concat([head(4, 2), signature, encodeMap([...entries, ['ucan/inv@1.0.0/', 'extra']])]),
    ],
  ])('%s', async (_name, bytes) => {
    expect(await isoTakes(bytes, among())).toBe(true)
    expect(await validated(container([tokenOf(bytes)]))).toMatchObject({
      valid: false,
      error: { name: 'MalformedToken' },
    })
  })
})

describe('what others are known for and we refuse', () => {
  // Backtracking matchers take the text's length to the power of the stars, which here never ends.
  it.each([
    ['eight stars against sixty letters', 8, 60],
    ['fifty stars against ten thousand letters', 50, 10_000],
  ])('to be delayed by %s', async (_name, stars, letters) => {
    const root = delegation(alice, bob, { pol: [['like', '.to', `${'*a'.repeat(stars)}*b`]] })
    const own = invocation(bob, alice, [root], { args: new Map([['to', 'a'.repeat(letters)]]) })
    expect(await validated(container([root, own]))).toMatchObject({ error: { name: 'MatchError' } })
  })

  it.each<[string, string, () => string]>([
    ['is for someone else', 'InvalidAudience', () => container([delegation(bob, carol)])],
    ['isn’t a token', 'MalformedToken', () => 'hello'],
  ])('to narrow a parent that %s', async (_name, name, parent) => {
    const answer = await enclave.call('new_attenuated_token', {
      parent_token: parent(),
      audience_did: carol.did,
      command: '/msg',
    })
    expect(answer).toMatchObject({ code: 'OPERATION_FAILED', name })
  })

  it.each<[string, string, Fields]>([
    ['has expired', 'Expired', { exp: 1n }],
    ['starts at someone who owns nothing', 'InvalidSubject', { sub: carol.did }],
  ])('to narrow a parent that %s', async (_name, name, changes) => {
    const { issuer_did } = await call('get_issuer_did', {})
    const parent_token = container([delegation(alice, bob, { aud: issuer_did, ...changes })])
    const answer = await enclave.call('new_attenuated_token', {
      parent_token,
      audience_did: carol.did,
      command: '/msg',
    })
    expect(answer).toMatchObject({ code: 'OPERATION_FAILED', name })
  })

  it('to narrow a parent signed by someone else', async () => {
    const { issuer_did } = await call('get_issuer_did', {})
    const { bytes } = delegation(alice, bob, { aud: issuer_did })
    const forged = Buffer.from(bytes)
    forged.writeUInt8(bytes.readUInt8(10) ^ 1, 10)
    const answer = await enclave.call('new_attenuated_token', {
      parent_token: container([tokenOf(forged)]),
      audience_did: carol.did,
      command: '/msg',
    })
    expect(answer).toMatchObject({ code: 'OPERATION_FAILED', name: 'InvalidSignature' })
  })
})
