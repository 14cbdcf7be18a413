import { t } from '@lingui/core/macro'

/** The ends a grant is usually given, and a moment of one's own. */
export type ExpiryChoice = 'same' | '1h' | '24h' | '7d' | '30d' | '90d' | '1y' | 'on'

const HOUR = 3600
/** The end of the year 9999: later dates have no input. */
const LATEST = 253_402_300_799_000
const SECONDS = {
  '1h': HOUR,
  '24h': 24 * HOUR,
  '7d': 7 * 24 * HOUR,
  '30d': 30 * 24 * HOUR,
  '90d': 90 * 24 * HOUR,
  '1y': 365 * 24 * HOUR,
} as const

/** Ends to choose from, in the words of the moment. */
export function expiryOptions(): { value: ExpiryChoice; label: string }[] {
  return [
    { value: '1h', label: t`In one hour` },
    { value: '24h', label: t`In 24 hours` },
    { value: '7d', label: t`In 7 days` },
    { value: '30d', label: t`In 30 days` },
    { value: '90d', label: t`In 90 days` },
    { value: '1y', label: t`In one year` },
    { value: 'on', label: t`At a date and time` },
  ]
}

/** When narrowing, the chain's own end comes first. */
export function narrowOptions(): ReturnType<typeof expiryOptions> {
  return [{ value: 'same', label: t`When the received one expires` }, ...expiryOptions()]
}

/** The choice that lasts this long. @param seconds a lifetime @param now milliseconds */
export function expiryLasting(seconds: number, now: number): { expiry: ExpiryChoice; expiresOn: string } {
  const usual = Object.entries(SECONDS).find(([, lifetime]) => lifetime === seconds)
  if (usual) return { expiry: usual[0] as keyof typeof SECONDS, expiresOn: '' }
  const at = new Date(Math.min(now + seconds * 1000, LATEST))
  return { expiry: 'on', expiresOn: localMinute(at) }
}

/** As an input of type datetime-local has it. */
function localMinute(at: Date): string {
  const [month, day, hour, minute] = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  )
  return `${at.getFullYear()}-${month}-${day}T${hour}:${minute}`
}

/** What was chosen, as a token's `exp` in seconds (undefined: the chain's own end), or why it cannot be. */
export type Expiry = { at: number | undefined } | { problem: string }

/**
 * The end of a grant.
 * @param on a local date and time as an input of type datetime-local gives it, for the choice "on"
 * @param now milliseconds
 */
export function readExpiry(choice: ExpiryChoice, on: string, now: number): Expiry {
  if (choice === 'same') return { at: undefined }
  if (choice !== 'on') return { at: Math.floor(now / 1000) + SECONDS[choice] }
  const at = Date.parse(on)
  if (on === '' || Number.isNaN(at)) return { problem: t`Choose a date and a time of day.` }
  if (at <= now) return { problem: t`This time has passed. Choose a later one.` }
  return { at: Math.floor(at / 1000) }
}
