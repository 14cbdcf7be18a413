// The official vectors and our own, with the holder's own reading of tokens, chains and policies.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toBase64url } from './codec/text.ts'
import { Budget } from './codec/work-budget.ts'
import { HolderError } from './errors.ts'
import { createHolder } from './holder/holder.ts'
import { didOf } from './identity/did.ts'
import { signWith } from './identity/holder-key.ts'
import { readKeyText } from './identity/key-text.ts'
import { memoryStore } from './stores/memory-store.ts'
import { type Question, validateInvocation, verifyToken } from './test/validate.ts'
import { signEnvelope } from './token/envelope.ts'
import { readTokens } from './token/read.ts'

const folder = new URL('../../../vectors/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const generator = (name: string) => import(new URL(`generate/${name}.mjs`, folder).href)

interface Bytes {
  '/': { bytes: string }
}

interface OfficialInvocation {
  name: string
  invocation: Bytes
  proofs: Bytes[]
  time: number
  error?: { name: string }
}

describe('the official invocations', () => {
  const groups: { valid: OfficialInvocation[]; invalid: OfficialInvocation[] } = json(
    'ucan-1.0.0/invocation.json',
  )
  const ask = ({ invocation, proofs, time }: OfficialInvocation) =>
    validateInvocation({
      invocation: invocation['/'].bytes,
      proofs: proofs.map((proof) => proof['/'].bytes),
      now: time,
      skew: 0,
    })

  it.each(groups.valid)("'$name' is valid", async (given) => {
    expect(await ask(given)).toMatchObject({ valid: true })
  })

  it.each(groups.invalid)("'$name' is refused as $error.name", async (given) => {
    expect(await ask(given)).toMatchObject({ valid: false, error: { name: given.error?.name } })
  })

  it('are twenty', () => {
    expect(groups.valid.length + groups.invalid.length).toBe(20)
  })
})

interface OfficialDelegations {
  /** Private keys: an Ed25519 multicodec in two bytes, and the seed, in base64. */
  principals: Record<string, string>
  valid: { name: string; token: string; cid: string }[]
}

describe('the official delegations', () => {
  const { principals, valid }: OfficialDelegations = json('ucan-1.0.0/delegation.json')
  const keys = Promise.all(
    Object.values(principals).map((text) => {
      const seed = Buffer.from(text, 'base64').subarray(2)
      return readKeyText(`keyhole-key-1.${toBase64url(seed)}`)
    }),
  )

  it.each(valid)('$name is read, and written byte for byte the same', async ({ token, cid }) => {
    const [read, ...others] = await readTokens(token, new Budget())
    expect([read?.cid, others]).toEqual([cid, []])
    const fields = Object.fromEntries(read?.fields ?? [])
    const signer = (await keys).find(({ publicKey }) => didOf(publicKey) === fields.iss)
    if (!read || !signer) throw new Error('No one signed it.')
    const written = await signEnvelope(read.tag, fields, (message) => signWith(signer, message))
    expect(Buffer.from(written)).toEqual(Buffer.from(token, 'base64'))
  })

  it('are there', () => {
    expect(valid.length).toBeGreaterThan(0)
  })
})

const { float } = await generator('cbor')
const { alice, bob } = await generator('keys')
const { NOW, delegate, invoke } = await generator('token')
const { text } = await generator('container')

describe('the official policies, each in a delegation, with the arguments of an invocation', () => {
  /** JSON whose floats stay floats even if they are whole, because policies distinguish 1.0 from 1. */
  const marked = readFileSync(new URL('ucan-1.0.0/policy.json', folder), 'utf8').replace(
    /"(?:[^"\\]|\\.)*"|-?\d+\.\d+/g,
    (token) => (token.startsWith('"') ? token : `{"a float":${token}}`),
  )
  const groups: Record<'valid' | 'invalid', { args: object; policies: unknown[][] }[]> = JSON.parse(
    marked,
    (_key, value) => (value?.['a float'] === undefined ? value : float(value['a float'])),
  )
  const asked = (['valid', 'invalid'] as const).flatMap((group) =>
    groups[group].flatMap(({ args, policies }) => policies.map((pol) => ({ group, args, pol }))),
  )

  it.each(asked)('$group: $pol', async ({ group, args, pol }) => {
    const root = delegate({ from: alice, to: bob, pol })
    const invocation = invoke({ by: bob, sub: alice, args, proofs: [root] })
    const answer = await validateInvocation({ invocation: text([invocation, root]), now: NOW })
    expect(answer).toMatchObject(
      group === 'valid'
        ? { valid: true, cid: invocation.cid }
        : { valid: false, error: { name: 'MatchError', cid: root.cid } },
    )
  })

  it('are twenty-five', () => {
    expect(asked.length).toBe(25)
  })
})

interface Case {
  readonly name: string
  readonly rule: string
  readonly call: string
  readonly input: Question & {
    readonly revoked?: unknown
    readonly revocations?: unknown
    readonly seen?: unknown
  }
  readonly expect: {
    readonly valid?: boolean
    readonly error?: object
    readonly name?: string
    readonly tokens?: object[]
  }
}

describe('our own vectors', () => {
  const { cases, files }: { cases: Case[]; files: { name: string; bytes: string; tokens: string[] }[] } =
    json('keyhole/validation.json')
  /** A holder learns of no revocations, and doesn't track used invocations. It reads one text at a time. */
  const isOurs = ({ call, input, expect: { name } }: Case) =>
    call !== 'validate_batch' &&
    !input.revoked &&
    !input.revocations &&
    !input.seen &&
    !(call !== 'inspect_token' && name)
  /**
   * WebCrypto uses the cofactorless equation: signatures crafted to need the other one are refused
   * (docs/decisions/010). No honest signer makes one.
   */
  const NEEDS_COFACTOR = [
    'Ed25519 rule: an R with a part of order eight',
    'Ed25519 rule: an R that is a point of order eight',
    'Ed25519 rule: a key with a part of order eight',
    'Ed25519 rule: a proof whose key and R have parts of order eight',
  ]
  /** Reading a token is enough here: a holder hands on its text, and never answers in DAG-JSON. */
  const CANNOT_BE_SHOWN = 'inspection: a token with a map that DAG-JSON keeps for links'
  const ours = cases.filter(isOurs)

  it.each(ours.filter(({ call }) => call !== 'inspect_token'))(
    '$name',
    async ({ name, call, input, expect: wanted }) => {
      const answer = await (call === 'verify_token' ? verifyToken(input) : validateInvocation(input))
      if (NEEDS_COFACTOR.includes(name))
        expect(answer).toMatchObject({ valid: false, error: { name: 'InvalidSignature' } })
      else expect(answer).toMatchObject(pick(wanted))
    },
  )

  it.each(ours.filter(({ call }) => call === 'inspect_token'))(
    '$name',
    async ({ name, input, expect: wanted }) => {
      const answer = await readTokens(input.token ?? '', new Budget()).then(
        (tokens) => ({ tokens: tokens.map(({ cid }) => ({ cid })) }),
        (error) => (error instanceof HolderError ? { name: error.code } : Promise.reject(error)),
      )
      if (name === CANNOT_BE_SHOWN) expect(answer).toMatchObject({ tokens: [{ cid: expect.any(String) }] })
      else
        expect(answer).toMatchObject(
          wanted.tokens ? { tokens: wanted.tokens.map(cidOnly) } : { name: wanted.name },
        )
    },
  )

  it.each(files)('the file “$name” contains its tokens', async ({ bytes, tokens }) => {
    const read = await readTokens(Buffer.from(bytes, 'hex'), new Budget())
    expect(read.map(({ cid }) => cid)).toEqual(tokens)
  })

  it('cover most of them', () => {
    expect(ours.length).toBeGreaterThan(700)
  })

  const cidOnly = (token: object) => ('cid' in token ? { cid: token.cid } : {})
  /** The fields a holder knows: not the command and arguments of an invocation it didn't write. */
  const pick = ({ valid, error, ...rest }: Case['expect']) => {
    const { cid, chain, effective } = { cid: undefined, chain: undefined, effective: undefined, ...rest }
    const limits = effective === undefined ? undefined : { ...Object(effective), policy: undefined }
    const all = { valid, error, cid, chain, effective: limits }
    return JSON.parse(JSON.stringify(all))
  }
})

describe('the containers of the working group', () => {
  const names = [
    'Base64StdPadding',
    'Base64StdPaddingGzipped',
    'Base64URL',
    'Base64URLGzipped',
    'Bytes',
    'BytesGzipped',
  ]

  it.each(names)('%s opens, and its release-candidate tokens are refused by name', async (name) => {
    const bytes = readFileSync(new URL(`container/${name}`, folder))
    await expect(readTokens(bytes, new Budget())).rejects.toMatchObject({ code: 'UnsupportedVersion' })
  })
})

describe('our calls', () => {
  interface CallVectors {
    keys: { bob: string }
    now: number
    nonce: string
    command: string
    subject: string
    audience: string
    grant: string
    cases: { name: string; args: Record<string, unknown>; compressed: boolean; plain: string }[]
  }
  const { keys, now, nonce, command, subject, audience, grant, cases }: CallVectors =
    json('keyhole/calls.json')

  it.each(cases)('$name', async ({ args, compressed, plain }) => {
    const key = await readKeyText(`keyhole-key-1.${toBase64url(Buffer.from(keys.bob, 'hex'))}`)
    const holder = createHolder({
      store: memoryStore(key),
      clock: () => now * 1_000,
      random: () => new Uint8Array(Buffer.from(nonce, 'hex')),
    })
    await holder.add(grant)
    const { token } = await holder.invoke(command, args, { subject, audience })
    expect(token.startsWith('P')).toBe(compressed)
    if (!compressed) expect(token).toBe(plain)
  })
})
