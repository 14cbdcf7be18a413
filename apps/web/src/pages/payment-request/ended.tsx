import type { PaymentRecord } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { quotable } from '../../shared/text/visible.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Foreign } from '../../shared/ui/text/foreign.tsx'
import { money, payeeWords } from '../../shared/words/payment.ts'
import { moment } from '../../shared/words/when.ts'
import type { WindowState } from './worker-messages.ts'

interface EndedProps {
  state: Extract<WindowState, { phase: 'ended' }>
  /** Releases a site that still waits. */
  onClose: () => void
}

/** What became of the request. Most browsers close the window once the site has its answer; this is for the others. */
export function Ended({ state, onClose }: EndedProps) {
  const { how } = state
  return (
    <Card>
      {how === 'answered' ? (
        <Notice tone="good" title={<Trans>The site has its answer.</Trans>}>
          <Trans>You can close this window.</Trans>
        </Notice>
      ) : null}
      {how === 'aborted' ? (
        <Notice tone="warn" title={<Trans>The site withdrew its request.</Trans>}>
          <Trans>Nothing was signed. You can close this window.</Trans>
        </Notice>
      ) : null}
      {how === 'timeout' ? (
        <Notice tone="warn" title={<Trans>The time for this payment is up.</Trans>}>
          <Trans>Nothing was signed. Pay again on the site, and it will ask again.</Trans>
        </Notice>
      ) : null}
      {how === 'claimed before' ? (
        <Notice
          tone="bad"
          title={<Trans>This exact request was approved before.</Trans>}
          actions={
            <Button size="small" onClick={onClose}>
              <Trans>Back to the site</Trans>
            </Button>
          }
        >
          <Trans>
            Nothing was signed now. See Payments for what happened before. A site that still expects payment
            has to ask again.
          </Trans>
        </Notice>
      ) : null}
      {how === 'lost' ? <Lost signed={state.signed} /> : null}
    </Card>
  )
}

/** The connection to the site is gone. It waits until the window is closed, and only the browser could tell it more. */
function Lost({ signed }: { signed: Extract<WindowState, { how: 'lost' }>['signed'] }) {
  return (
    <Notice
      tone="bad"
      title={<Trans>Your answer can’t reach the site any more.</Trans>}
      actions={
        <Link
          to="/payment"
          search={{ tab: 'history', ...(typeof signed === 'object' && { payment: signed.id }) }}
          className={buttonClass('quiet', 'small')}
        >
          <Trans>Go to your payments</Trans>
        </Link>
      }
    >
      <p>
        <Trans>The browser cut this window’s connection to the site.</Trans>{' '}
        {signed === 'nothing' ? (
          <Trans>Nothing was signed. Close this window, and pay again on the site.</Trans>
        ) : signed === 'unknown' ? (
          <Trans>We can’t tell whether anything was signed. Look under Payments before you pay again.</Trans>
        ) : (
          <SignedWords signed={signed} />
        )}
      </p>
    </Notice>
  )
}

/** What remains of a payment that never reached its site. */
function SignedWords({
  signed: { amount, currency, digits, payee, order, expiresAt, mandate },
}: {
  signed: PaymentRecord
}) {
  const [sum, site] = [money(amount, currency, digits), payeeWords(payee)]
  const [reference, end] = [quotable(order), moment(expiresAt)]
  return (
    <>
      <Trans>
        {sum} to {site} for the order{' '}
        <span className="inline-block max-w-full">
          “<Foreign>{reference}</Foreign>”
        </span>{' '}
        was signed but didn’t arrive. Only this vault has it, and it expires at {end}.
      </Trans>{' '}
      {mandate === undefined ? null : <Trans>Your mandate has counted it.</Trans>}{' '}
      <Trans>Close this window. If the site asks again, that is another payment.</Trans>
    </>
  )
}
