import { Plural, Trans } from '@lingui/react/macro'
import { Notice } from '../ui/feedback/notice.tsx'

/** The wait after failed tries. Empty once it is over. Announced once: the seconds are only visual. */
export function Waiting({ seconds }: { seconds: number }) {
  if (seconds === 0) return null
  return (
    <Notice tone="warn" title={<Trans>Too many tries in a row.</Trans>}>
      <span aria-hidden="true">
        <Plural
          value={seconds}
          one="The next one can be made in # second."
          other="The next one can be made in # seconds."
        />{' '}
      </span>
      <Trans>Nothing is lost by waiting, and nothing is ever wiped.</Trans>
    </Notice>
  )
}
