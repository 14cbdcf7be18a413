// One check after another in the caller's own thread, compared with other checks of this kind: a Biscuit of two blocks, and a JWT. Unless
// noted, every token is different and new.
import { compileEnclave, createVerifier } from '@keyhole/enclave'
import * as jose from 'jose'
import { expect, processorTimes } from './measure.mjs'
import { loadBiscuit } from './rivals/biscuit.mjs'
import { chainOf } from './tokens.mjs'

/** Few enough for a rival that gets slower the more tokens it has checked. */
const TOKENS = 256
const ROUNDS = 11
const PROOFS = 2
const HOUR = 3_600
/** The rival's own limits, except for the millisecond per check: the first takes longer. */
const LIMITS = { max_facts: 1_000, max_iterations: 100, max_time_micro: 1_000_000 }

/** Checks each token, one after another. @template T @param {readonly T[]} tokens @param {(token: T) => unknown} check */
const inTurn = (tokens, check) => async () => {
  for (const token of tokens) await check(token)
}

/** @param {number} milliseconds @returns {number} microseconds per token */
const each = (milliseconds) => (milliseconds / TOKENS) * 1_000

/** Biscuits with an authority block and some that narrow it, and a function that checks one. @param {number} narrowed */
async function biscuits(narrowed, exp) {
  const { AuthorizerBuilder, Biscuit, BiscuitBuilder, BlockBuilder, KeyPair, SignatureAlgorithm } =
    await loadBiscuit()
  const root = new KeyPair(SignatureAlgorithm.Ed25519)
  const until = new Date(exp * 1_000).toISOString()
  const tokens = Array.from({ length: TOKENS }, (_, at) => {
    const authority = new BiscuitBuilder()
    authority.addCode(`right("/notes"); user("${at}"); check if time($time), $time < ${until};`)
    let token = authority.build(root.getPrivateKey())
    for (let count = 0; count < narrowed; count += 1) {
      const block = new BlockBuilder()
      block.addCode(`check if folder("notes"); check if time($time), $time < ${until};`)
      token = token.appendBlock(block)
    }
    return token.toBase64()
  })
  const key = root.getPublicKey()
  const check = (/** @type {string} */ text) => {
    const token = Biscuit.fromBase64(text, key)
    const builder = new AuthorizerBuilder()
    builder.addCode(`time(${new Date().toISOString()}); folder("notes"); allow if right("/notes");`)
    const authorizer = builder.buildAuthenticated(token)
    expect(authorizer.authorizeWithLimits(LIMITS) === 0, 'the biscuit is allowed')
    authorizer.free()
    token.free()
  }
  return { run: inTurn(tokens, check) }
}

/** JWTs with the same content as a delegation, and a function that checks one. */
async function jwts(exp) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  const [issuer, audience] = ['https://issuer.example', 'https://audience.example']
  const claims = { command: '/notes', policy: [['==', '.folder', 'notes']] }
  const tokens = await Promise.all(
    Array.from({ length: TOKENS }, (_, at) =>
      new jose.SignJWT({ ...claims, jti: `${at}` })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(exp)
        .sign(privateKey),
    ),
  )
  const check = async (/** @type {string} */ token) => {
    const { payload } = await jose.jwtVerify(token, publicKey, { issuer, audience, algorithms: ['EdDSA'] })
    expect(payload.command === '/notes', 'the JWT holds')
  }
  return { run: inTurn(tokens, check) }
}

export async function figures() {
  const module = await compileEnclave()
  const exp = Math.floor(Date.now() / 1_000) + HOUR
  const chains = Array.from({ length: TOKENS }, (_, at) => chainOf(PROOFS, { seed: `in process ${at}`, exp }))
  const known = Array.from({ length: TOKENS }, () => chains[0])

  /** Uses a new verifier each time. @template T @param {readonly T[]} tokens */
  const ours = (tokens, check) => {
    let verifier
    return {
      before: async () => {
        verifier = createVerifier({ module })
      },
      run: inTurn(tokens, (token) => {
        expect(check(verifier, token).valid === true, 'it holds')
      }),
    }
  }
  const validate = (verifier, { text: invocation, subject: audience }) =>
    verifier.call('validate_invocation', { invocation, audience })
  const verify = (verifier, { proofs: [token] }) => verifier.call('verify_token', { token })

  const taken = await processorTimes(
    {
      invocation: ours(chains, validate),
      biscuitOfTwo: await biscuits(1, exp),
      biscuitOfThree: await biscuits(2, exp),
      known: ours(known, validate),
      delegation: ours(chains, verify),
      jwt: await jwts(exp),
    },
    ROUNDS,
  )
  const row = (name, value) => ({ name, unit: 'µs', value: each(value) })
  return [
    {
      title: `In process, one after another: an invocation with ${PROOFS} proofs`,
      note: 'Processor time of the whole process. Ours by `createVerifier`, from text to answer; theirs from text to `authorize`, with an authority block and one or two that narrow it. The bar beside the second row is 1.',
      better: 'less',
      rows: [
        row('Keyhole, nothing known', taken.invocation),
        row('biscuit-wasm 0.6.0, two blocks', taken.biscuitOfTwo),
        row('biscuit-wasm 0.6.0, three blocks', taken.biscuitOfThree),
        row('Keyhole, proofs that it knows', taken.known),
      ],
    },
    {
      title: 'In process, one after another: a single delegation',
      note: "Processor time of the whole process, WebCrypto's threads among it. Theirs under one key that was imported before; ours unpacks the issuer's key each time. The bar beside the second row is 1.5.",
      better: 'less',
      rows: [row('Keyhole, verify_token', taken.delegation), row('jose 6.2.18, EdDSA JWT', taken.jwt)],
    },
  ]
}
