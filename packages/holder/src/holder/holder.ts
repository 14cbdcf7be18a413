import { HolderError } from '../errors.ts'
import { type Grant, isHeld, tell } from '../grants/grant.ts'
import { heldGrants } from '../grants/held-grants.ts'
import { didOf } from '../identity/did.ts'
import { type HolderKey, randomBytes, signWith } from '../identity/holder-key.ts'
import type { Sign } from '../token/envelope.ts'
import { type Asked, type AskRequest, ask } from './ask.ts'
import { type ExpiringOptions, watchExpiring } from './expiring.ts'
import { type Invoked, type InvokeOptions, invoke } from './invoke.ts'
import { type Narrowed, type NarrowOptions, narrow } from './narrow.ts'
import { abortable, type CallOptions, type HolderOptions, type Signer } from './options.ts'

/** Bytes of the random nonce in a token. */
const NONCE_LENGTH = 12

/** Which of the grants in a text is meant. */
export interface AddOptions extends CallOptions {
  /** CID of the delegation that is made out to the holder, where the text has several. */
  readonly leaf?: string
}

/** A key, and the grants that it holds. Every call rejects with a {@link HolderError}, or with the reason of its signal. */
export interface Holder {
  /** The DID to which grants are made out. The key is made with the first call that needs it. */
  did(options?: CallOptions): Promise<string>

  /**
   * Asks a person for a grant: makes a request that they open in their vault, by a link, as text, or by a QR code of the link.
   *
   * The answer rejects with Declined where they say no, RequestRefused where the vault can't take the request, RequestExpired where nobody
   * answers in time, InvalidAnswer, and as {@link Holder.add}.
   *
   * @throws HolderError InvalidInput; RelayFailed where the way back can't be opened
   */
  ask(request: AskRequest): Promise<Asked>

  /**
   * Keeps a grant: a container in any encoding or a bare token, as text or as the bytes of a file. It is checked first: signatures,
   * times, and that it is made out to this holder. One that starts later is kept too.
   *
   * @throws HolderError by the rule that the token breaks; InvalidAudience where it is made out to somebody else; TooManyGrants
   */
  add(token: string | Uint8Array, options?: AddOptions): Promise<Grant>

  /** All grants, in the order in which they end. */
  grants(options?: CallOptions): Promise<readonly Grant[]>

  /** Lets go of a grant. One that is not there is no error. */
  remove(cid: string, options?: CallOptions): Promise<void>

  /** Why texts in the store are not among the grants: each is damaged, or made out to another key. */
  problems(options?: CallOptions): Promise<readonly HolderError[]>

  /**
   * Signs a call, with the narrowest grant that covers it. Nothing is sent.
   *
   * @param command such as `/msg/send`
   * @param args in DAG-JSON; a Uint8Array is bytes, a bigint an integer
   * @throws HolderError by what the closest grant breaks: MatchError with the `statement` that the arguments break, InvalidCommand,
   *   Expired, TooEarly, and in `refusals` all of them; NoGrant where there is none over the subject; InvalidInput
   */
  invoke(command: string, args: Readonly<Record<string, unknown>>, options?: InvokeOptions): Promise<Invoked>

  /**
   * Signs a grant for somebody else: a part of one that is held. Nobody is asked, and it never gives more than is held.
   *
   * @throws HolderError by what the closest grant does not give: InvalidCommand, InvalidSubject, InvalidClaim (it would last longer),
   *   Expired; InvalidAudience where the receiver has the authority already, or can't use it; NoGrant; InvalidInput
   */
  narrow(options: NarrowOptions): Promise<Narrowed>

  /** Calls `tell` once for each grant that ends soon. Returns what ends that. */
  onExpiring(tell: (grant: Grant) => void, options?: ExpiringOptions): () => void
}

/** A holder of what is in a store. Nothing is read or made before the first call. */
export function createHolder({
  store,
  clock = Date.now,
  random = randomBytes,
  resolve,
}: HolderOptions): Holder {
  const now = () => Math.floor(clock() / 1_000)
  let key: Promise<HolderKey> | undefined
  const ownKey = () => {
    key ??= store.key().catch((error) => {
      key = undefined
      throw error
    })
    return key
  }
  const did = async () => didOf((await ownKey()).publicKey)
  const held = heldGrants(store, did, now, resolve)
  const usable = async () => (await held.all()).filter(isHeld)
  const grants = async () => {
    const ends = ({ expiresAt }: Grant) => expiresAt ?? Number.MAX_VALUE
    return (await usable()).map((grant) => tell(grant, now())).sort((a, b) => ends(a) - ends(b))
  }
  const signer = async (): Promise<Signer> => {
    const own = await ownKey()
    const sign: Sign = (message) => signWith(own, message)
    return { did: didOf(own.publicKey), sign, now: now(), nonce: random(NONCE_LENGTH) }
  }
  const watches = new Set<() => void>()
  const add = async (token: string | Uint8Array, leaf?: string) => {
    const added = await held.add(token, leaf)
    // It may end before what the watches wait for.
    for (const look of watches) look()
    return tell(added, now())
  }

  return {
    did: ({ signal } = {}) => abortable(signal, did),
    ask: (request) => abortable(request.signal, async () => ask(request, await did(), add)),
    add: (token, { leaf, signal } = {}) => abortable(signal, () => add(token, leaf)),
    grants: ({ signal } = {}) => abortable(signal, grants),
    remove: (cid, { signal } = {}) => abortable(signal, () => store.remove(cid)),
    problems: ({ signal } = {}) =>
      abortable(signal, async () => (await held.all()).filter((grant) => grant instanceof HolderError)),
    invoke: (command, args, options = {}) =>
      abortable(options.signal, async () => invoke(await usable(), await signer(), command, args, options)),
    narrow: (options) =>
      abortable(options.signal, async () => narrow(await usable(), await signer(), options)),
    onExpiring(listen, options) {
      const { look, stop } = watchExpiring(grants, now, listen, options)
      watches.add(look)
      return () => {
        watches.delete(look)
        stop()
      }
    },
  }
}
