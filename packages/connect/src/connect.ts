import type { Grant, Holder } from '@keyhole/holder'
import { type CapabilityRequest, capabilityRequest } from './request.ts'
import { ask, type ConnectOptions } from './request-window.ts'

/** What a page asks for, with a key that is made for it. */
export interface ConnectionRequest extends Omit<CapabilityRequest, 'audience'>, ConnectOptions {
  /** The holder whose key it is made out to. Default: {@link pageHolder}. */
  readonly holder?: Holder | Promise<Holder>
}

/** A grant, and who holds it. */
export interface Connection {
  /** The container text of the grant with all its proofs. */
  readonly token: string
  /** What was granted, which may be less than what was asked for: every limit along the chain. */
  readonly effective: Pick<Grant, 'subject' | 'command' | 'policy' | 'notBefore' | 'expiresAt'>
  /** Until when, in seconds since 1970; null for ever. */
  readonly expiresAt: number | null
  /** Holds the grant and its key: `holder.invoke` signs calls. */
  readonly holder: Holder
}

const load = () => import('./page-holder.ts')

/** The holder of this page's origin: its key is in IndexedDB, and no script can read it out. It is loaded with the first call. */
export async function pageHolder(): Promise<Holder> {
  return (await load()).ownHolder()
}

/**
 * Asks the person's vault for a grant, in a window of the vault's own, and keeps it. Call it from a click: browsers open no window else.
 *
 * The grant is made out to a key that this page's origin has, and makes where it has none.
 *
 * @throws ConnectError by its `code`: INVALID_REQUEST, TOO_BROAD, BLOCKED, CLOSED, DECLINED, UNSUPPORTED, TIMEOUT
 * @throws HolderError where the key can't be made or kept, or the token that came back is not what it should be
 * @throws the signal's reason, where it was aborted
 */
export async function connect(request: ConnectionRequest): Promise<Connection> {
  check(request)
  const holding = Promise.resolve(request.holder ?? pageHolder())
  const whole = holding.then(async (holder) =>
    capabilityRequest({ ...request, audience: await holder.did() }),
  )
  whole.catch(() => {})
  // The window is opened before anything is waited for: afterwards it would no longer be the click's.
  const token = await ask(whole, request, window)
  const holder = await holding
  return connectionOf(await holder.add(token), holder)
}

/**
 * The same without a window: this page leaves for the vault, and {@link resumeConnection} takes the answer when it is back. For phones, and
 * for pages with `Cross-Origin-Opener-Policy: same-origin`.
 *
 * @param request `returnTo` is where the vault's window goes: a page of this origin. Default: this page
 * @throws ConnectError INVALID_REQUEST, TOO_BROAD; HolderError where the key can't be made
 */
export async function connectByRedirect(
  request: ConnectionRequest & { readonly returnTo?: string | URL },
): Promise<never> {
  check(request)
  const [holder, { redirect }] = await Promise.all([request.holder ?? pageHolder(), load()])
  const { link } = await holder.ask({ ...request, reply: redirect(request.returnTo) })
  window.location.assign(link)
  return await new Promise(() => {})
}

/**
 * Takes the answer that this page was opened with. Call it once when the page loads.
 *
 * @returns undefined where the page was opened without one
 * @throws HolderError Declined where the person said no; InvalidAnswer where it answers no request of this tab
 */
export async function resumeConnection(
  options: { readonly holder?: Holder | Promise<Holder> } = {},
): Promise<Connection | undefined> {
  // Most loads have no answer: they load no more than this.
  if (!window.location.hash.startsWith('#keyhole-answer-')) return undefined
  const [holder, { resume }] = await Promise.all([options.holder ?? pageHolder(), load()])
  const grant = await resume(holder)
  return grant && connectionOf(grant, holder)
}

/** A grant as what it connects to. */
export function connectionOf(
  { token, subject, command, policy, notBefore, expiresAt }: Grant,
  holder: Holder,
): Connection {
  return { token, effective: { subject, command, policy, notBefore, expiresAt }, expiresAt, holder }
}

/** Refuses a wrong request before a key is made or a window opened. @throws ConnectError */
function check(request: ConnectionRequest): void {
  capabilityRequest({ ...request, audience: SOMEONE })
}

/** Any DID, in the place of one that is not known yet. */
const SOMEONE = 'did:web:example.com'
