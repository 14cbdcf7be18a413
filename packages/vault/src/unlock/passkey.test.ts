import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { VaultError } from '../base/errors.ts'
import { askPasskey, canUsePasskeys, createPasskey, type PasskeyRefusal } from './passkey.ts'

/** What the tests' authenticator answers. */
interface Answer {
  id?: number[]
  prf?: AuthenticationExtensionsPRFOutputs
  refused?: string
}

const FIRST = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const SECOND = Uint8Array.from({ length: 32 }, (_, index) => index + 101)
const BOTH = { first: FIRST, second: SECOND }
const SALT = Uint8Array.from({ length: 64 }, (_, index) => index)

class FakeCredential {
  static signalUnknownCredential = vi.fn(async () => undefined)
  static getClientCapabilities = vi.fn(async (): Promise<Record<string, boolean>> => ({}))
  readonly rawId: ArrayBuffer
  readonly #prf: Answer['prf']

  constructor({ id = [1, 2, 3], prf }: Answer) {
    this.rawId = Uint8Array.from(id).buffer
    this.#prf = prf
  }

  getClientExtensionResults() {
    return this.#prf === undefined ? {} : { prf: this.#prf }
  }
}

const create = vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>()
const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>()

function answers(mock: typeof create | typeof get, answer: Answer): void {
  mock.mockImplementationOnce(async () => {
    if (answer.refused !== undefined) throw new DOMException('no', answer.refused)
    return new FakeCredential(answer)
  })
}

/** Fresh copies, because the code overwrites what the browser returns. */
const results = () => ({ first: Uint8Array.from(FIRST), second: Uint8Array.from(SECOND) })

async function refused(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(VaultError)
  return error instanceof VaultError ? error.details?.name : undefined
}

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', FakeCredential)
  vi.stubGlobal('location', { hostname: 'keyhole.example' })
  vi.stubGlobal('navigator', { credentials: { create, get } })
  FakeCredential.signalUnknownCredential.mockClear()
  FakeCredential.getClientCapabilities.mockReset().mockResolvedValue({})
  create.mockReset()
  get.mockReset()
})
afterEach(() => vi.unstubAllGlobals())

describe('createPasskey', () => {
  test('asks for both evaluations, a verified person, and no authenticator twice', async () => {
    answers(create, { id: [251, 255, 1], prf: { enabled: true, results: results() } })
    const made = await createPasskey({ name: ' Personal ', exclude: [{ credential: '-_8B' }, {}] })
    expect(made.credential).toBe('-_8B')
    expect(made.relyingParty).toBe('keyhole.example')
    expect(made.prf).toEqual(Uint8Array.from([...FIRST, ...SECOND]))
    expect(made.salt).toHaveLength(64)
    const asked = create.mock.calls[0]?.[0].publicKey
    expect(asked?.extensions?.prf?.eval).toEqual({
      first: made.salt.slice(0, 32),
      second: made.salt.slice(32),
    })
    expect(asked?.authenticatorSelection).toEqual({ residentKey: 'preferred', userVerification: 'required' })
    expect(asked?.excludeCredentials).toEqual([{ type: 'public-key', id: Uint8Array.from([251, 255, 1]) }])
    expect(asked?.user.name).toBe('Personal')
    expect(get).not.toHaveBeenCalled()
  })

  test('takes new inputs and a new user each time', async () => {
    answers(create, { prf: { results: results() } })
    answers(create, { prf: { results: results() } })
    const [one, two] = [await createPasskey({ name: 'A' }), await createPasskey({ name: 'A' })]
    expect(one.salt).not.toEqual(two.salt)
    const [first, second] = create.mock.calls.map(([options]) => options.publicKey?.user.id)
    expect(first).not.toEqual(second)
  })

  test('asks a second time if the first answer is only "enabled"', async () => {
    answers(create, { id: [7], prf: { enabled: true } })
    answers(get, { id: [7], prf: { results: results() } })
    const made = await createPasskey({ name: 'Personal' })
    expect(made.prf).toEqual(Uint8Array.from([...FIRST, ...SECOND]))
    const { evalByCredential } = get.mock.calls[0]?.[0].publicKey?.extensions?.prf ?? {}
    expect(evalByCredential).toEqual({ Bw: { first: made.salt.slice(0, 32), second: made.salt.slice(32) } })
  })

  test('overwrites what the browser returned', async () => {
    const handed = results()
    answers(create, { prf: { results: handed } })
    await createPasskey({ name: 'Personal' })
    expect([...handed.first, ...handed.second].every((byte) => byte === 0)).toBe(true)
  })

  test.each<[string, Answer, Answer | undefined, PasskeyRefusal]>([
    ['no PRF', {}, undefined, 'PasskeyWithoutPrf'],
    ['PRF reported as disabled', { prf: { enabled: false } }, undefined, 'PasskeyWithoutPrf'],
    ['PRF enabled, but no result', { prf: { enabled: true } }, {}, 'PasskeyWithoutResult'],
    [
      'one of two evaluations',
      { prf: { enabled: true, results: { first: FIRST } } },
      { prf: { results: { first: FIRST } } },
      'PasskeyWithoutResult',
    ],
    [
      'the second window closed',
      { prf: { enabled: true } },
      { refused: 'NotAllowedError' },
      'PasskeyCancelled',
    ],
  ])('%s: says so, and leaves no passkey behind', async (_, made, asked, name) => {
    answers(create, made)
    if (asked) answers(get, asked)
    expect(await refused(createPasskey({ name: 'Personal' }))).toBe(name)
    expect(FakeCredential.signalUnknownCredential).toHaveBeenCalledExactlyOnceWith({
      rpId: 'keyhole.example',
      credentialId: 'AQID',
    })
  })

  test.each<[string, PasskeyRefusal]>([
    ['NotAllowedError', 'PasskeyCancelled'],
    ['AbortError', 'PasskeyCancelled'],
    ['InvalidStateError', 'PasskeyKnown'],
    ['SecurityError', 'PasskeyWrongSite'],
    ['NotSupportedError', 'PasskeyNoAuthenticator'],
    ['UnknownError', 'PasskeyFailed'],
  ])('%s is %s', async (refusedWith, name) => {
    answers(create, { refused: refusedWith })
    expect(await refused(createPasskey({ name: 'Personal' }))).toBe(name)
  })

  test('says so if the device has no authenticator built in', async () => {
    FakeCredential.getClientCapabilities.mockResolvedValue({ userVerifyingPlatformAuthenticator: false })
    answers(create, { refused: 'NotAllowedError' })
    expect(await refused(createPasskey({ name: 'Personal' }))).toBe('PasskeyNoAuthenticator')
  })

  test('a browser that says it has no PRF is not asked for a passkey', async () => {
    FakeCredential.getClientCapabilities.mockResolvedValue({ 'extension:prf': false })
    expect(await refused(createPasskey({ name: 'Personal' }))).toBe('PasskeyUnsupported')
    expect(create).not.toHaveBeenCalled()
  })

  test('reports a browser without WebAuthn separately', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    expect(await refused(createPasskey({ name: 'Personal' }))).toBe('PasskeyUnsupported')
  })
})

describe('canUsePasskeys', () => {
  test.each([
    ['a browser that has PRF', { 'extension:prf': true }, true],
    ['a browser that has no PRF', { 'extension:prf': false }, false],
    ["a browser that doesn't say", {}, true],
  ])('%s', async (_browser, capabilities, can) => {
    FakeCredential.getClientCapabilities.mockResolvedValue(capabilities)
    expect(await canUsePasskeys()).toBe(can)
  })

  test('a browser without WebAuthn', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    expect(await canUsePasskeys()).toBe(false)
  })
})

describe('askPasskey', () => {
  const known = [
    { credential: 'AQID', salt: SALT, relyingParty: 'keyhole.example' },
    { credential: 'BAUG', salt: SALT.toReversed(), relyingParty: 'keyhole.example' },
    { credential: 'BwgJ', salt: SALT, relyingParty: 'elsewhere.example' },
    {},
  ]

  test('offers each passkey of this site with its own inputs', async () => {
    answers(get, { id: [4, 5, 6], prf: { results: results() } })
    expect(await askPasskey(known)).toEqual({
      credential: 'BAUG',
      prf: Uint8Array.from([...FIRST, ...SECOND]),
    })
    const asked = get.mock.calls[0]?.[0].publicKey
    expect(asked?.userVerification).toBe('required')
    expect(asked?.allowCredentials?.map(({ id }) => id)).toEqual([
      Uint8Array.from([1, 2, 3]),
      Uint8Array.from([4, 5, 6]),
    ])
    expect(asked?.extensions?.prf?.evalByCredential?.BAUG).toEqual({
      first: SALT.toReversed().slice(0, 32),
      second: SALT.toReversed().slice(32),
    })
  })

  test('names another address if no passkey belongs to this site', async () => {
    expect(await refused(askPasskey(known.slice(2)))).toBe('PasskeyWrongSite')
    expect(get).not.toHaveBeenCalled()
  })

  test('rejects an answer without the evaluations', async () => {
    answers(get, { prf: {} })
    expect(await refused(askPasskey(known))).toBe('PasskeyWithoutResult')
  })

  test("rejects with the caller's reason after an abort", async () => {
    const stop = new AbortController()
    const reason = new Error('changed my mind')
    get.mockImplementationOnce(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
        }),
    )
    const asked = askPasskey(known, stop.signal)
    await vi.waitFor(() => expect(get).toHaveBeenCalled())
    stop.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await expect(createPasskey({ name: 'A', signal: stop.signal })).rejects.toBe(reason)
  })

  test('puts nothing of an answer into an error or on the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answers(get, { prf: { results: { first: FIRST } } })
    const error: unknown = await askPasskey(known).catch((reason: unknown) => reason)
    expect(JSON.stringify({ ...(error instanceof VaultError ? error.details : {}) })).not.toContain(
      [...BOTH.first].join(','),
    )
    expect(log).not.toHaveBeenCalled()
  })
})
