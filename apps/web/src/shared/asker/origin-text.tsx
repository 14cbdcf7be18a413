import { hostOf } from './asker-host.ts'
import { slot } from './slots.ts'

/** An origin as the browser reports it, with its host emphasised. */
export function OriginText({ origin }: { origin: string }) {
  const host = hostOf(origin)
  return (
    <span className="wrap-anywhere font-mono">
      <span className="text-ink-faint" {...slot('scheme')}>
        {origin.slice(0, origin.length - host.length)}
      </span>
      <strong {...slot('host')}>{host}</strong>
    </span>
  )
}
