import type { PaymentRecord } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { formatTag } from '../../../shared/language/language.ts'
import { dayOf } from '../../../shared/text/day.ts'
import { cx } from '../../../shared/ui/cx.ts'
import { PaymentItem } from './payment-item.tsx'

interface PaymentListProps {
  /** Newest first. */
  payments: readonly PaymentRecord[]
}

/** Payments by their days; only those in sight are in the document, however many there are. */
export function PaymentList({ payments }: PaymentListProps) {
  const { t } = useLingui()
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: payments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 84,
    overscan: 10,
    getItemKey: (index) => payments[index]?.id ?? index,
  })
  return (
    <section
      ref={scroller}
      // Who comes back from one of them finds the list where it was left.
      data-scroll-restoration-id="payments"
      aria-label={t`Payments`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="kh-scroll max-h-[80dvh] overflow-y-auto rounded-control border border-line px-4"
    >
      <ol aria-label={t`Payments`} className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const payment = payments[index]
          if (!payment) return null
          const before = payments[index - 1]
          const begins = before === undefined || dayOf(before.at) !== dayOf(payment.at)
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={payments.length}
              aria-posinset={index + 1}
              className={cx('absolute inset-x-0 top-0 border-line', !begins && 'border-t')}
              style={{ transform: `translateY(${start}px)` }}
            >
              {begins ? (
                <h3 className="-mx-4 bg-sunken px-4 py-1.5 font-medium text-ink-soft text-xs">
                  {new Intl.DateTimeFormat(formatTag(), { dateStyle: 'full' }).format(payment.at)}
                </h3>
              ) : null}
              <PaymentItem payment={payment} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
