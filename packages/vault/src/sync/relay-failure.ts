/** Why the relay didn't do what it was asked. */
export type RelayWhy =
  /** It can't be reached, or took too long. */
  | 'network'
  /** It is busy, or asks to wait. */
  | 'busy'
  /** It has no room for this account. */
  | 'full'
  /** It doesn't accept this device. */
  | 'refused'
  /** Its clock and this device's differ by more than a minute. */
  | 'clock'
  /** Another device has changed the list of devices meanwhile. */
  | 'conflict'
  /** It isn't known whether a head is in force: the relay was gone, or hasn't shown it. */
  | 'unsure'
  /** Its answer breaks its own rules: too long, without an end, or something else. */
  | 'nonsense'

/** What a relay answers if it was asked and did nothing. It may have done something before it says `unavailable`. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['bad_request', 'unauthorized', 'forbidden', 'not_found', 'full', 'conflict', 'too_large'],
  'too_many_requests',
])

/** A call to a relay that failed. Nothing was changed here. */
export class RelayFailure extends Error {
  override readonly name = 'RelayFailure'
  readonly why: RelayWhy
  /** The rule that the call broke, by the relay's name for it. */
  readonly rule: string | undefined
  /** What the relay answered, by its name for it. */
  readonly answer: string | undefined
  /** Milliseconds to wait, if it said so. */
  readonly wait: number | undefined
  /** Whether the relay itself says that it did nothing. Otherwise, it may have done what it was asked. */
  readonly isRefusal: boolean

  constructor(
    why: RelayWhy,
    more: {
      rule?: string | undefined
      answer?: string | undefined
      wait?: number | undefined
      status?: number
      cause?: unknown
    } = {},
  ) {
    super(more.rule === undefined ? why : `${why}: ${more.rule}`, { cause: more.cause })
    this.why = why
    this.rule = more.rule
    this.answer = more.answer
    this.wait = more.wait
    const { status = 0, answer = '' } = more
    this.isRefusal = status >= 400 && status < 500 && REFUSALS.has(answer)
  }
}
