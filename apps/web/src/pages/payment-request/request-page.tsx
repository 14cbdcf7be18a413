import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { Asker } from '../../shared/asker/asker.tsx'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Ended } from './ended.tsx'
import { Payment } from './payment.tsx'
import { PaymentLine } from './payment-line.ts'
import { Signing } from './signing.ts'
import type { RequestProblem } from './worker-messages.ts'

/** One for the document: the payment is requested and answered once, however often the page is drawn. */
const line = new PaymentLine()
const signing = new Signing(line)

/** The window that the browser opens when a site asks to be paid. Opened any other way, it can't approve anything. */
export function RequestPage() {
  const { t } = useLingui()
  const state = useSyncExternalStore(line.subscribe, line.state)
  return (
    <>
      <PageHeader title={state.phase === 'nothing' ? t`Payment window` : t`A site asks to be paid`} />
      {state.phase === 'asking' ? (
        <Card>
          <Progress label={t`Getting the payment from the browser…`} value={null} />
        </Card>
      ) : null}
      {state.phase === 'nothing' ? <NothingWaits /> : null}
      {state.phase === 'payment' ? (
        <Payment line={line} signing={signing} asked={state.asked} until={state.until} />
      ) : null}
      {state.phase === 'problem' ? (
        <Problem problem={state.problem} origin={state.origin} onClose={() => line.end('refuse')} />
      ) : null}
      {state.phase === 'ended' ? <Ended state={state} onClose={() => line.end('refuse')} /> : null}
    </>
  )
}

function NothingWaits() {
  const { t } = useLingui()
  return (
    <Card>
      <EmptyState
        title={t`There’s no payment to approve here`}
        actions={
          <Link to="/payment" className={buttonClass('primary')}>
            <Trans>Go to your payments</Trans>
          </Link>
        }
      >
        <Trans>
          Your browser opens this window when you pay on a site. If you open or reload it yourself, it can’t
          approve anything.
        </Trans>
      </EmptyState>
    </Card>
  )
}

interface ProblemProps {
  problem: RequestProblem
  origin: string | undefined
  onClose: () => void
}

/** A request that can't be approved, and why. */
function Problem({ problem, origin, onClose }: ProblemProps) {
  return (
    <>
      {origin === undefined ? null : <Asker origin={origin} />}
      <Card className="flex flex-col gap-5">
        <Notice tone="bad" title={<Trans>This request cannot be approved.</Trans>}>
          {problem === 'frame' ? (
            <Trans>
              It comes from a part of the page that belongs to another site. You would see one site’s name and
              pay what another asks.
            </Trans>
          ) : null}
          {problem === 'method' ? (
            <Trans>It’s for another payment method, or lists this one twice.</Trans>
          ) : null}
          {problem === 'malformed' ? (
            <Trans>The amount, currency, order or origin in it is wrong. Only the site can fix that.</Trans>
          ) : null}{' '}
          <Trans>Nothing was signed.</Trans>
        </Notice>
        <Button tone="primary" onClick={onClose} className="self-start">
          <Trans>Back to the site</Trans>
        </Button>
      </Card>
    </>
  )
}
