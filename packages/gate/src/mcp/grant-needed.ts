import { isRecord } from '../calls/arguments.ts'

/** A call that a person has to allow first. */
export class GrantNeeded extends Error {
  override readonly name = 'GrantNeeded'
  /** Opens the request in the owner's vault. */
  readonly link: string
  /** Shown by the vault too. */
  readonly shortCode: string
  /** The rule that the closest grant breaks. */
  readonly code: string

  constructor(message: string, code: string, link: string, shortCode: string) {
    super(message)
    this.code = code
    this.link = link
    this.shortCode = shortCode
  }
}

/** What a person can mend by a grant. */
export const BY_GRANT: readonly string[] = [
  'NoGrant',
  'InvalidClaim',
  'InvalidCommand',
  'InvalidSubject',
  'UnavailableProof',
  'Expired',
  'TooEarly',
  'MatchError',
  'Revoked',
  'TooMuchWork',
]

/** A call to ask for. */
export interface WantedCall {
  /** URL of the owner's vault. */
  readonly vault: string
  /** What the server is called. */
  readonly name: string
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** Why there was no call. */
  readonly code: string
  /** An introduction that describes the tool. Left out where it has no room. */
  readonly service?: string | undefined
}

/** What to ask for, as `ask` of a holder takes it. */
interface Wanted {
  readonly vault: string
  readonly command: string
  readonly policy: readonly unknown[]
  readonly expiresIn: number
  readonly reason: string
  readonly service?: string
}

/** A request as it is shown. */
interface Written {
  readonly link: string
  readonly code: string
  /** Whether the grant comes to the caller once it is there. Otherwise a person brings it. */
  readonly comesBack?: boolean
}

/** For how long a grant is asked, in seconds: an hour. The person may choose. */
const ASKED = 3_600
/** Longest policy, in bytes of JSON: a request has 16,384 with its other fields. */
const LONGEST_POLICY = 12_288
/** Longest reason, and longest name in it, in characters. */
const LONGEST_REASON = 300
const LONGEST_NAME = 100

/**
 * Asks for exactly one call. The person may widen it. Arguments that have no room are left open, the longest first, and the reason names them.
 *
 * @param write writes the request
 * @throws what `write` throws: the names alone may be too long
 */
export async function askForCall(
  write: (wanted: Wanted) => Promise<Written>,
  { vault, name, command, args, code, service }: WantedCall,
): Promise<GrantNeeded> {
  const { policy, open } = policyOf(args)
  const what = cut(String(args.name ?? args.uri ?? ''), LONGEST_NAME)
  const but = open.length > 0 ? `, with any ${open.join(', ')}: too long to ask for` : ''
  const reason = cut(`To call ${what} of ${name}${but}`, LONGEST_REASON)
  const isDescribed = service !== undefined && sizeOf(policy) + service.length <= LONGEST_POLICY
  const {
    link,
    code: shortCode,
    comesBack = false,
  } = await write({
    ...{ vault, command, policy, expiresIn: ASKED, reason },
    ...(isDescribed && { service }),
  })
  const why = code === 'AskFirst' ? 'The owner allows such calls one by one' : 'No grant covers this call'
  const then = comesBack ? ' The grant then comes here: make the call again.' : ''
  const message = `${why} (${code}). Ask the owner to open this link and grant it: ${link}${then}`
  return new GrantNeeded(message, code, link, shortCode)
}

/** A policy that allows exactly these arguments, and the names of those that have no room in it. */
function policyOf({ server, name, uri, once, arguments: given }: WantedCall['args']): {
  readonly policy: readonly unknown[]
  readonly open: readonly string[]
} {
  const head = [
    ['==', '.server', server],
    name === undefined ? ['==', '.uri', uri] : ['==', '.name', name],
    ...(once === undefined ? [] : [['==', '.once', once]]),
  ]
  const fields = (isRecord(given) ? Object.entries(given) : []).map(([key, value]) => {
    const limit = ['==', `.arguments${selectorOf(key)}`, value]
    return { key, limit, size: sizeOf(limit) + 1 }
  })
  const kept = new Set<unknown>()
  let left = LONGEST_POLICY - sizeOf(head)
  for (const { key, size } of fields.toSorted((a, b) => a.size - b.size)) {
    left -= size
    if (left < 0) break
    kept.add(key)
  }
  return {
    policy: [...head, ...fields.flatMap(({ key, limit }) => (kept.has(key) ? [limit] : []))],
    open: fields.flatMap(({ key }) => (kept.has(key) ? [] : [key])),
  }
}

function selectorOf(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
