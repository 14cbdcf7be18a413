import { HolderError, wrongInput } from '../errors.ts'
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

/** Length of the random nonce in a token, in bytes. */
const NONCE_LENGTH = 12

/** Selects one of the grants in a text. */
export interface AddOptions extends CallOptions {
  /** CID of the delegation to the holder, if the text has several. */
  readonly leaf?: string
}

/** A key and its grants. Every call rejects with a {@link HolderError}, or with the reason of its signal. */
export interface Holder {
  /** The holder's DID, to which grants are issued. The first call that needs the key creates it. */
  did(options?: CallOptions): Promise<string>

  /**
   * Asks a person for a grant. Makes a request that they open in their vault through a link, as text, or as a QR code
   * of the link.
   * The answer rejects with Declined if they say no, RequestRefused if the vault can't take the request, RequestExpired
   * if no one answers in time, InvalidAnswer, and as {@link Holder.add}.
   * @throws HolderError InvalidInput; RelayFailed if the way for the answer can't be opened
   */
  ask(request: AskRequest): Promise<Asked>

  /**
   * Stores a grant: a container in any encoding or a bare token, as text or as the bytes of a file. First checks its
   * signatures, its times, and that it is for this holder. One that starts later is stored too.
   * @throws HolderError by the rule that the token breaks; InvalidAudience if it is for someone else; TooManyGrants
   */
  add(token: string | Uint8Array, options?: AddOptions): Promise<Grant>

  /** All grants, in order of expiry. */
  grants(options?: CallOptions): Promise<readonly Grant[]>

  /** Removes a grant, if it exists. */
  remove(cid: string, options?: CallOptions): Promise<void>

  /** Why some texts in the store aren't listed as grants: they are damaged, or for another key. */
  problems(options?: CallOptions): Promise<readonly HolderError[]>

  /**
   * Signs a call with the narrowest grant that covers it. Sends nothing.
   * @param command such as `/msg/send`
   * @param args in DAG-JSON; a Uint8Array is bytes, a bigint an integer
   * @throws HolderError by what the closest grant breaks: MatchError with the `statement` that the arguments break,
   *   InvalidCommand, Expired, TooEarly, with all of them in `refusals`; NoGrant if there is none over the subject;
   *   InvalidInput
   */
  invoke(command: string, args: Readonly<Record<string, unknown>>, options?: InvokeOptions): Promise<Invoked>

  /**
   * Signs a grant for someone else, as part of an existing one. Asks no one, and never grants more than the holder has.
   * @throws HolderError by what the closest grant lacks: InvalidCommand, InvalidSubject, InvalidClaim (it would last
   *   longer), Expired; InvalidAudience if the receiver has the authority already, or can't use it; NoGrant;
   *   InvalidInput
   */
  narrow(options: NarrowOptions): Promise<Narrowed>

  /** Calls `tell` once for each grant that expires soon, or has expired meanwhile, as after a sleep. @returns stops that */
  onExpiring(tell: (grant: Grant) => void, options?: ExpiringOptions): () => void
}

/** Creates a holder over a store. Reads and creates nothing before the first call. */
export function createHolder({
  store,
  clock = Date.now,
  random = randomBytes,
  resolve,
}: HolderOptions): Holder {
  if (!store?.key) wrongInput('`store` must be a store.')
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
    // The new grant may expire before those the watches are waiting for.
    for (const look of watches) look()
    return tell(added, now())
  }

  return {
    did: (options) => abortable(options, did),
    ask: (request) => abortable(request, async () => ask({ ...request }, await did(), add)),
    add: (token, options) => abortable(options, () => add(token, options?.leaf)),
    grants: (options) => abortable(options, grants),
    remove: (cid, options) => abortable(options, () => store.remove(cid)),
    problems: (options) =>
      abortable(options, async () => (await held.all()).filter((grant) => grant instanceof HolderError)),
    invoke: (command, args, options) =>
      abortable(options, async () => invoke(await usable(), await signer(), command, args, { ...options })),
    narrow: (options) =>
      abortable(options, async () => narrow(await usable(), await signer(), { ...options })),
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
