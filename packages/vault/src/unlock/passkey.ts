import { fromBase64Url, toBase64Url } from '../base/base64url.ts'
import { reasonOf, refused, type VaultError } from '../base/errors.ts'
import type { OwnRefusalName } from '../base/refusals.ts'

/**
 * What a passkey answers: 64 secret bytes, the same each time. The caller that passes them to the enclave overwrites
 * them.
 */
export interface PasskeyAnswer {
  /** The credential's id, base64url. */
  readonly credential: string
  /** The two evaluations, first ‖ second, 32 bytes each. */
  readonly prf: Uint8Array
}

/** A newly created passkey. */
export interface NewPasskey extends PasskeyAnswer {
  /** The host name that the passkey belongs to. */
  readonly relyingParty: string
  /** The two inputs that were evaluated, first ‖ second, 32 bytes each. Not secret. */
  readonly salt: Uint8Array
  readonly label?: string
}

/** The part of an unlock method that identifies a passkey. Other kinds lack these fields and are skipped. */
export interface KnownPasskey {
  readonly credential?: string
  readonly relyingParty?: string
  readonly salt?: Uint8Array
}

export interface CreatePasskeyRequest {
  /** What the authenticator shows next to the site: the account's name. */
  readonly name: string
  /** Passkeys the account already has, so that the same authenticator isn't added twice. */
  readonly exclude?: readonly KnownPasskey[]
  readonly signal?: AbortSignal
}

/** The passkey refusals in `details.name`. */
export type PasskeyRefusal = Exclude<Extract<OwnRefusalName, `Passkey${string}`>, 'PasskeyAnswerUsed'>

/** How long a person has to answer the authenticator, in milliseconds. */
const PATIENCE = 180_000
const HALF = 32
/** EdDSA, ES256 and RS256: what authenticators sign with. The signature itself is not used here. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Creates a passkey for the account and evaluates it.
 * @throws VaultError OPERATION_FAILED, `details.name` a {@link PasskeyRefusal}; the signal's reason if it was aborted
 */
export async function createPasskey({
  name,
  exclude = [],
  signal,
}: CreatePasskeyRequest): Promise<NewPasskey> {
  const container = await requireCredentials(signal)
  const relyingParty = location.hostname
  const salt = random(2 * HALF)
  const user = name.trim() || 'Keyhole'
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: { id: relyingParty, name: 'Keyhole' },
    // Random, so that two accounts on one authenticator never overwrite each other.
    user: { id: random(HALF), name: user, displayName: user },
    challenge: random(HALF),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    excludeCredentials: exclude.flatMap(({ credential }) => descriptors(credential)),
    attestation: 'none',
    timeout: PATIENCE,
    extensions: { prf: { eval: inputs(salt) } },
  }
  const made = await settle(container.create({ publicKey, ...(signal && { signal }) }), signal)
  const credential = toBase64Url(new Uint8Array(made.rawId))
  try {
    const { prf } = made.getClientExtensionResults()
    const known = outputs(prf)
    if (known) return { credential, relyingParty, salt, prf: known }
    if (prf?.enabled !== true) throw refusal('PasskeyWithoutPrf')
    // Many authenticators evaluate only when a passkey is used (WebAuthn Level 3, section 10.1.4).
    const answer = await askPasskey([{ credential, relyingParty, salt }], signal)
    return { ...answer, relyingParty, salt }
  } catch (error) {
    await forgetPasskey({ credential, relyingParty })
    throw error
  }
}

/**
 * Asks for any one of the account's passkeys.
 * @param methods the account's unlock methods; other kinds are skipped
 * @throws VaultError OPERATION_FAILED, `details.name` a {@link PasskeyRefusal}; the signal's reason if it was aborted
 */
export async function askPasskey(
  methods: readonly KnownPasskey[],
  signal?: AbortSignal,
): Promise<PasskeyAnswer> {
  const container = await requireCredentials(signal)
  const known = methods.flatMap(({ credential, salt, relyingParty }) =>
    credential === undefined || salt === undefined ? [] : [{ credential, salt, relyingParty }],
  )
  const here = known.filter(({ relyingParty = location.hostname }) => relyingParty === location.hostname)
  if (here.length === 0) throw refusal('PasskeyWrongSite')
  const publicKey: PublicKeyCredentialRequestOptions = {
    rpId: location.hostname,
    challenge: random(HALF),
    allowCredentials: here.flatMap(({ credential }) => descriptors(credential)),
    userVerification: 'required',
    timeout: PATIENCE,
    extensions: {
      prf: {
        evalByCredential: Object.fromEntries(here.map(({ credential, salt }) => [credential, inputs(salt)])),
      },
    },
  }
  const answer = await settle(container.get({ publicKey, ...(signal && { signal }) }), signal)
  const prf = outputs(answer.getClientExtensionResults().prf)
  if (!prf) throw refusal('PasskeyWithoutResult')
  return { credential: toBase64Url(new Uint8Array(answer.rawId)), prf }
}

/** Tells the authenticator to drop a passkey that no account has, if the browser supports it. Never throws. */
export async function forgetPasskey({ credential, relyingParty }: KnownPasskey): Promise<void> {
  const type: unknown = globalThis.PublicKeyCredential
  const signal: unknown = typeof type === 'function' && Reflect.get(type, 'signalUnknownCredential')
  if (typeof signal !== 'function') return
  try {
    await Reflect.apply(signal, type, [{ rpId: relyingParty, credentialId: credential }])
  } catch {
    // The leftover passkey opens nothing, and the person can delete it in their passkey settings.
  }
}

/** Whether this page can use passkeys at all. Says nothing about the authenticator. */
export function hasPasskeys(): boolean {
  return (
    typeof globalThis.PublicKeyCredential === 'function' &&
    typeof globalThis.navigator?.credentials?.create === 'function'
  )
}

/**
 * Whether a passkey can unlock a vault in this page, as far as the browser says. Many don't say whether they have PRF: then it may. Says
 * nothing about the authenticator.
 */
export async function canUsePasskeys(): Promise<boolean> {
  return hasPasskeys() && (await capability('extension:prf')) !== false
}

async function requireCredentials(signal: AbortSignal | undefined): Promise<CredentialsContainer> {
  signal?.throwIfAborted()
  // Checking first avoids leaving a useless passkey behind.
  if (!(await canUsePasskeys())) throw refusal('PasskeyUnsupported')
  return navigator.credentials
}

async function capability(name: string): Promise<boolean | undefined> {
  const ask: unknown = Reflect.get(PublicKeyCredential, 'getClientCapabilities')
  if (typeof ask !== 'function') return undefined
  try {
    const known: unknown = await Reflect.apply(ask, PublicKeyCredential, [])
    const value: unknown = typeof known === 'object' && known !== null ? Reflect.get(known, name) : undefined
    return typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}

async function settle(
  asked: Promise<Credential | null>,
  signal: AbortSignal | undefined,
): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await asked
  } catch (error) {
    signal?.throwIfAborted()
    throw await refusalOf(error)
  }
  signal?.throwIfAborted()
  if (!(credential instanceof PublicKeyCredential)) throw refusal('PasskeyCancelled')
  return credential
}

const BY_DOM_NAME: Readonly<Record<string, PasskeyRefusal>> = {
  InvalidStateError: 'PasskeyKnown',
  SecurityError: 'PasskeyWrongSite',
  NotSupportedError: 'PasskeyNoAuthenticator',
  ConstraintError: 'PasskeyNoAuthenticator',
  AbortError: 'PasskeyCancelled',
}

/**
 * WebAuthn says little on purpose: NotAllowedError can mean the person declined, a timeout, or a device without the
 * passkey.
 */
async function refusalOf(error: unknown): Promise<VaultError> {
  const name = error instanceof DOMException || error instanceof Error ? error.name : ''
  if (name !== 'NotAllowedError') return refusal(BY_DOM_NAME[name] ?? 'PasskeyFailed', error)
  const own = await capability('userVerifyingPlatformAuthenticator')
  return refusal(own === false ? 'PasskeyNoAuthenticator' : 'PasskeyCancelled', error)
}

function refusal(name: PasskeyRefusal, cause?: unknown): VaultError {
  return refused(name, {}, cause === undefined ? {} : { details: { reason: reasonOf(cause) }, cause })
}

function inputs(salt: Uint8Array): AuthenticationExtensionsPRFValues {
  return { first: Uint8Array.from(salt.subarray(0, HALF)), second: Uint8Array.from(salt.subarray(HALF)) }
}

/** First ‖ second; undefined unless both are 32 bytes. Overwrites the browser's own copies. */
function outputs(prf: AuthenticationExtensionsPRFOutputs | undefined): Uint8Array | undefined {
  const { first, second } = prf?.results ?? {}
  const halves = [first, second].map((half) => half && bytesOf(half))
  const whole = halves.every((half) => half?.length === HALF)
  const joined = whole ? new Uint8Array(2 * HALF) : undefined
  for (const [index, half] of halves.entries()) {
    if (half) joined?.set(half, index * HALF)
    half?.fill(0)
  }
  return joined
}

function bytesOf(source: BufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

function descriptors(credential: string | undefined): PublicKeyCredentialDescriptor[] {
  const id = credential === undefined ? undefined : fromBase64Url(credential)
  return id === undefined ? [] : [{ type: 'public-key', id: Uint8Array.from(id) }]
}
