import { useLingui } from '@lingui/react/macro'
import { formatTag } from '../../shared/language/language.ts'
import { sizeWords } from '../../shared/text/too-long.ts'
import { cx } from '../../shared/ui/cx.ts'

/** From here on a browser may soon have no room for the next change. */
const NEARLY_FULL = 0.8

/** How much of the room that the browser gives is in use, as a picture and in words. Bytes. */
export function StorageMeter({ usage, quota }: { usage: number; quota: number }) {
  const { t } = useLingui()
  const share = quota > 0 ? Math.min(1, usage / quota) : 1
  const percent = new Intl.NumberFormat(formatTag(), { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  )
  const [used, total] = [sizeWords(usage), sizeWords(quota)]
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <svg
        aria-hidden="true"
        viewBox="0 0 200 4"
        preserveAspectRatio="none"
        className="h-2 w-full overflow-hidden rounded-full border border-line bg-sunken"
      >
        {/* What is in use is seen, however little it is. */}
        <rect
          height="4"
          width={Math.max(2, share * 200)}
          className={cx(share >= NEARLY_FULL ? 'fill-warn' : 'fill-ink')}
        />
      </svg>
      <p className="text-sm">{t`${used} of ${total} in use (${percent})`}</p>
    </div>
  )
}
