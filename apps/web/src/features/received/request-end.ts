import { t } from '@lingui/core/macro'

/** How long a request is valid. Short, because it is used once. */
export type RequestEnd = '5m' | '1h' | '24h' | '7d'

const SECONDS: Readonly<Record<RequestEnd, number>> = { '5m': 300, '1h': 3600, '24h': 86_400, '7d': 604_800 }

export function requestEnds(): readonly { value: RequestEnd; label: string }[] {
  return [
    { value: '5m', label: t`In 5 minutes` },
    { value: '1h', label: t`In one hour` },
    { value: '24h', label: t`In 24 hours` },
    { value: '7d', label: t`In 7 days` },
  ]
}

/**
 * When a request expires, in seconds: as chosen, but never after the grants it depends on.
 * @param now milliseconds
 * @param latest milliseconds; undefined if they never expire
 */
export function requestEnd(choice: RequestEnd, now: number, latest: number | undefined): number {
  const at = Math.floor(now / 1000) + SECONDS[choice]
  return latest === undefined ? at : Math.min(at, Math.floor(latest / 1000))
}
