import { Notice } from '../../components/notice.tsx'

/** The wait after failed tries; nothing once it is over. Told once: the seconds are for the eye. */
export function Waiting({ seconds }: { seconds: number }) {
  if (seconds === 0) return null
  return (
    <Notice tone="warn" title="Too many tries in a row.">
      <span aria-hidden="true">
        The next one can be made in {seconds} {seconds === 1 ? 'second' : 'seconds'}.{' '}
      </span>
      Nothing is lost by waiting, and nothing is ever wiped.
    </Notice>
  )
}
