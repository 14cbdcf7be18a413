import type { StoredToken } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useAskedPayment } from '../../shared/tokens/asked-payment.ts'
import { cx } from '../../shared/ui/cx.ts'
import { commandWords } from '../../shared/words/command.ts'
import { money, payeeName } from '../../shared/words/payment.ts'
import type { PaymentTerms } from '../../shared/words/payment-args.ts'
import { REQUEST } from '../../shared/words/payment-commands.ts'
import { askedWho } from '../../shared/words/who.ts'

/** A signed request as a sentence: what it asks, and of whom. */
export function RequestSentence({ signed, className }: { signed: StoredToken; className?: string }) {
  const contacts = useContacts()
  const asked = useAskedPayment(signed)
  const did = signed.audienceDid ?? signed.audience
  if (asked) return <PaymentSentence did={did} asked={asked} className={className} />
  const whom = askedWho(did, contacts)
  const what = commandWords(signed.command)
  return (
    <p className={cx('wrap-anywhere', className)}>
      {signed.command === REQUEST ? (
        <Trans>
          You ask{' '}
          <strong title={signed.audienceDid} dir="auto">
            {whom}
          </strong>{' '}
          for <strong>a payment under your mandate</strong>.
        </Trans>
      ) : (
        <Trans>
          You ask{' '}
          <strong title={signed.audienceDid} dir="auto">
            {whom}
          </strong>{' '}
          to let you <strong>{what}</strong>.
        </Trans>
      )}
    </p>
  )
}

interface PaymentSentenceProps {
  /** Who is asked. */
  did: string
  asked: PaymentTerms
  className?: string | undefined
}

/** A request for a payment as a sentence: how much it asks for, and for whom. */
export function PaymentSentence({ did, asked, className }: PaymentSentenceProps) {
  const contacts = useContacts()
  const whom = askedWho(did, contacts)
  const [sum, site] = [money(asked.amount, asked.currency), payeeName(asked.payee, contacts)]
  return (
    <p className={cx('wrap-anywhere', className)}>
      <Trans>
        You ask{' '}
        <strong title={did} dir="auto">
          {whom}
        </strong>{' '}
        to pay <strong>{sum}</strong> to <strong title={asked.payee}>{site}</strong>.
      </Trans>
    </p>
  )
}
