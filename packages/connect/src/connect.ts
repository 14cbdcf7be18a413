import type { Grant, Holder } from '@keyhole/holder'
import { type CapabilityRequest, capabilityRequest } from './request.ts'
import { ask, type ConnectOptions } from './request-window.ts'

/** What a page asks for, for a key that is created for it. */
export interface ConnectionRequest extends Omit<CapabilityRequest, 'audience'>, ConnectOptions {
  /** The holder whose key gets the grant. Default: {@link pageHolder}. */
  readonly holder?: Holder | Promise<Holder>
}

/** A grant, and its holder. */
export interface Connection {
  /** The container text of the grant with all its proofs. */
  readonly token: string
  /** What was granted, which may be less than requested: every limit along the chain. */
  readonly effective: Pick<Grant, 'subject' | 'command' | 'policy' | 'notBefore' | 'expiresAt'>
  /** When it expires, in seconds since 1970; null: never. */
  readonly expiresAt: number | null
  /** Holds the grant and its key: `holder.invoke` signs calls. */
  readonly holder: Holder
}

const load = () => import('./page-holder.ts')

/**
 * The holder of this page's origin. Its key is in IndexedDB, and no script can read it out. Loaded on the first call.
 */
export async function pageHolder(): Promise<Holder> {
  return (await load()).ownHolder()
}

/**
 * Asks the person's vault for a grant in a window of the vault, and stores it. Call it from a click, because browsers
 * block other windows.
 * The grant is for a key of this page's origin, created if missing.
 * @throws ConnectError by its `code`: INVALID_REQUEST, TOO_BROAD, BLOCKED, CLOSED, DECLINED, UNSUPPORTED, TIMEOUT
 * @throws HolderError if the key can't be created or stored, or the returned token is wrong
 * @throws the signal's reason if it was aborted
 */
export async function connect(request: ConnectionRequest): Promise<Connection> {
  check(request)
  const holding = Promise.resolve(request.holder ?? pageHolder())
  const whole = holding.then(async (holder) =>
    capabilityRequest({ ...request, audience: await holder.did() }),
  )
  whole.catch(() => {})
  // Open the window before awaiting anything, or it no longer counts as opened by the click.
  const token = await ask(whole, request, window)
  const holder = await holding
  return connectionOf(await holder.add(token), holder)
}

/**
 * The same without a window: this page goes to the vault, and {@link resumeConnection} takes the answer when it is
 * back. For phones, and for pages with `Cross-Origin-Opener-Policy: same-origin`.
 * @param request `returnTo` is where the vault returns to: a page of this origin. Default: this page
 * @throws ConnectError INVALID_REQUEST, TOO_BROAD; HolderError if the key can't be created, or InvalidInput for a
 *   `returnTo` of another origin
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
 * Takes the answer this page was opened with. Call it once when the page loads.
 * @returns undefined if the page was opened without one
 * @throws HolderError Declined if the person said no; InvalidAnswer if it answers no request of this tab
 */
export async function resumeConnection(
  options: { readonly holder?: Holder | Promise<Holder> } = {},
): Promise<Connection | undefined> {
  // Most page loads have no answer, and need no further code.
  if (!window.location.hash.startsWith('#keyhole-answer-')) return undefined
  const [holder, { resume }] = await Promise.all([options.holder ?? pageHolder(), load()])
  const grant = await resume(holder)
  return grant && connectionOf(grant, holder)
}

/** A connection from a grant. */
export function connectionOf(
  { token, subject, command, policy, notBefore, expiresAt }: Grant,
  holder: Holder,
): Connection {
  return { token, effective: { subject, command, policy, notBefore, expiresAt }, expiresAt, holder }
}

/** Refuses an invalid request before a key is created or a window opened. @throws ConnectError */
function check(request: ConnectionRequest): void {
  capabilityRequest({ ...request, audience: SOMEONE })
}

/** A placeholder for a DID that isn't known yet. */
const SOMEONE = 'did:web:example.com'
