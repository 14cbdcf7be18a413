import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { explainRule } from '../../../shared/words/explain-refusal.ts'
import { money } from '../../../shared/words/payment.ts'
import { moment } from '../../../shared/words/when.ts'
import { CART, type ShopCheck, type ShopVerdict } from './demo-shop.ts'

/** The shop's verdict on an authorisation: paid, with each check, or why not. */
export function ShopVerdictView({ verdict }: { verdict: ShopVerdict }) {
  const { t } = useLingui()
  if ('name' in verdict) {
    const { name } = verdict
    const { title, advice } = explainRule({ name })
    return (
      <Notice tone="warn" title={title}>
        {advice} <code>{name}</code>
      </Notice>
    )
  }
  return (
    <>
      {verdict.paid ? (
        <Notice tone="good" title={t`Paid.`}>
          <Trans>Every check passed. The shop remembers it and accepts it only once.</Trans>
        </Notice>
      ) : (
        <Notice tone="bad" title={t`Not paid.`}>
          <Trans>The authorisation is not one for this order.</Trans>
        </Notice>
      )}
      <ul aria-label={t`Checks`} className="flex w-full flex-col gap-2 text-sm">
        {verdict.checks.map((check) => (
          <Check key={check.of} check={check} />
        ))}
      </ul>
    </>
  )
}

function Check({ check: { of, found, held } }: { check: ShopCheck }) {
  const { t } = useLingui()
  const about = {
    method: t`Answered by the method that was asked for`,
    issuer: t`Signed by who pays`,
    audience: t`Made out to this shop`,
    command: t`It authorises a payment`,
    amount: t`The price of this cart`,
    order: t`For this order`,
    end: t`Has not expired`,
  }[of]
  const Icon = held ? CircleCheck : CircleX
  return (
    <li className="flex items-start gap-2">
      <Icon
        className={held ? 'mt-0.5 size-4 shrink-0 text-good' : 'mt-0.5 size-4 shrink-0 text-bad'}
        role="img"
        aria-label={held ? t`passed` : t`failed`}
      />
      <span className="min-w-0">
        <span className="block">{about}</span>
        <span className="wrap-anywhere block text-ink-soft">
          {of === 'amount' && held ? (
            money(CART.total, CART.currency)
          ) : of === 'end' && typeof found === 'number' ? (
            <Trans>until {moment(found * 1000)}</Trans>
          ) : (
            <code>{found}</code>
          )}
        </span>
      </span>
    </li>
  )
}
