import { t } from '@lingui/core/macro'

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/android/i, 'Android'],
  [/iphone/i, 'iPhone'],
  [/ipad/i, 'iPad'],
  [/cros/i, 'ChromeOS'],
  [/mac os|macintosh/i, 'Mac'],
  [/windows/i, 'Windows'],
  [/linux|x11/i, 'Linux'],
]
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/edg\//i, 'Edge'],
  [/firefox|fxios/i, 'Firefox'],
  [/chrome|chromium|crios/i, 'Chrome'],
  [/safari/i, 'Safari'],
]

/** A name to begin with for the device that runs this page, from what its browser says of itself. */
export function suggestedName(userAgent: string): string {
  const find = (known: typeof SYSTEMS) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [system, browser] = [find(SYSTEMS), find(BROWSERS)]
  if (system !== undefined && browser !== undefined) return t`${browser} on ${system}`
  return browser ?? system ?? ''
}

/** The longest name of a device, in characters. */
export const NAME_MAX = 60
