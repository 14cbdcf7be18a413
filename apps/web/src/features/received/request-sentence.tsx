import type { StoredToken } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { argsWords, IN_A_LINE, moreWords } from '../../shared/grant-words/call-args.ts'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { quotable } from '../../shared/text/visible.ts'
import { useAsked } from '../../shared/tokens/asked.ts'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { Foreign } from '../../shared/ui/text/foreign.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { money, payeeName } from '../../shared/words/payment.ts'
import type { PaymentTerms } from '../../shared/words/payment-args.ts'
import { REQUEST } from '../../shared/words/payment-commands.ts'
import { askedWho } from '../../shared/words/who.ts'

/** Whole addresses, and more values than a call has. The rest of a text that long is under its text. */
const MOST = { values: 200, value: 1_000, name: 200 }

/** A signed request as a sentence: what it asks, and of whom; and its arguments below. */
export function RequestSentence({ signed }: { signed: StoredToken }) {
  const contacts = useContacts()
  const asked = useAsked(signed)
  const did = signed.audienceDid ?? signed.audience
  if (asked?.payment) return <PaymentSentence did={did} asked={asked.payment} />
  const whom = askedWho(did, contacts)
  const what = commandWords(signed.command)
  const args = argsWords(signed.command, asked?.args ?? {}, MOST)
  return (
    <div className="wrap-anywhere">
      <p>
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
            Your request to{' '}
            <strong title={signed.audienceDid} dir="auto">
              {whom}
            </strong>
            : <strong>{what}</strong>.
          </Trans>
        )}
      </p>
      {args.length === 0 ? null : (
        <>
          <p>
            <Trans>With these arguments:</Trans>
          </p>
          <LimitList limits={args.slice(0, IN_A_LINE.values).map((text) => ({ text }))} />
          {args.length <= IN_A_LINE.values ? null : (
            <Fold title={moreWords(args.length - IN_A_LINE.values)}>
              <LimitList limits={args.slice(IN_A_LINE.values).map((text) => ({ text }))} />
            </Fold>
          )}
        </>
      )}
    </div>
  )
}

interface PaymentSentenceProps {
  /** Who is asked. */
  did: string
  asked: PaymentTerms
}

/** A request for a payment as a sentence: how much it asks for, for whom, and for which order, once that is filled in. */
export function PaymentSentence({ did, asked }: PaymentSentenceProps) {
  const contacts = useContacts()
  const whom = askedWho(did, contacts)
  const [sum, site] = [money(asked.amount, asked.currency), payeeName(asked.payee, contacts)]
  const order = quotable(asked.order ?? '')
  return (
    <p className="wrap-anywhere">
      {order === '' ? (
        <Trans>
          You ask{' '}
          <strong title={did} dir="auto">
            {whom}
          </strong>{' '}
          to pay <strong>{sum}</strong> to <strong title={asked.payee}>{site}</strong>.
        </Trans>
      ) : (
        <Trans>
          You ask{' '}
          <strong title={did} dir="auto">
            {whom}
          </strong>{' '}
          to pay <strong>{sum}</strong> to <strong title={asked.payee}>{site}</strong> for the order{' '}
          <strong className="inline-block max-w-full">
            “<Foreign>{order}</Foreign>”
          </strong>
          .
        </Trans>
      )}
    </p>
  )
}
