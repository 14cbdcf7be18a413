import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { AnsweredBefore } from '../../features/payments/requests/request-review.tsx'
import { Asker } from '../../shared/asker/asker.tsx'
import { hostOf } from '../../shared/asker/asker-host.ts'
import { exactJson } from '../../shared/policy/json.ts'
import type { ConnectRequest } from '../../shared/requests/request.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { CapabilityForm } from './capability-form.tsx'
import { Granted } from './granted.tsx'
import { Later } from './optional-part.tsx'
import { CodeCard } from './reply/code-card.tsx'
import type { Answer, Sent } from './reply/send-answer.ts'
import { RequestHeading } from './request-heading.tsx'
import { useAsked } from './use-asked.ts'

const PaymentForm = lazy(() => import('./payment-form.tsx'))
const replyParts = () => import('./reply/chunk.ts')
const Delivery = lazy(async () => ({ default: (await replyParts()).Delivery }))
const PasteRequest = lazy(async () => ({ default: (await replyParts()).PasteRequest }))

/** A declined request for a payment may have been countersigned before. */
type Outcome =
  | { readonly token: StoredToken }
  | { readonly declined: ConnectRequest['kind']; readonly before: AnsweredBefore }

/** An answer on its way to where the request said. */
interface Sending {
  readonly sent: Promise<Sent>
  readonly again: () => Promise<Sent>
}

/** How a request ended, and which one it was. */
interface Ended {
  readonly which: string
  readonly outcome: Outcome
  readonly sending?: Sending | undefined
}

const beginSending = (again: Sending['again']): Sending => ({ sent: again(), again })

/** The last request that ended in this document, so that a redraw doesn't ask again. */
let last: Ended | undefined

/**
 * How long the page stays unchanged after an app has its answer, in milliseconds. The app closes the window, and drawing would only delay
 * that.
 */
const CLOSING = 100

const closing = () => new Promise<void>((resolve) => setTimeout(resolve, CLOSING))

/** For the developer of the program that asked. */
const NO = 'The person said no.'

/** Requests from apps, agents and devices, one per document. */
export default function ConnectPage() {
  const { t } = useLingui()
  const vault = useVault()
  const [asked, setAsked] = useAsked()
  const [ended, setEnded] = useState(last)
  switch (asked.state) {
    case 'waiting':
      return (
        <>
          <PageHeader title={t`Connect`} />
          <Card>
            <Progress label={t`Waiting for the app’s request…`} value={null} />
          </Card>
        </>
      )
    case 'blank':
      return (
        <>
          <PageHeader title={t`Answer a request`}>
            <Trans>
              Got a request as text, link or QR code? Paste or scan it. Your answer then appears here, for you
              to send back.
            </Trans>
          </PageHeader>
          <Suspense fallback={null}>
            <PasteRequest onAsked={setAsked} />
          </Suspense>
        </>
      )
    case 'wrong': {
      const { origin, refusal } = asked
      const isDamaged = origin === undefined && refusal.code === 'INVALID_REQUEST'
      return (
        <>
          <PageHeader title={isDamaged ? t`This request can’t be read` : t`Nothing to decide`} />
          {origin === undefined ? null : <Asker origin={origin} />}
          {isDamaged ? (
            <Notice
              tone="bad"
              actions={
                <Button size="small" onClick={() => setAsked({ state: 'blank' })}>
                  <Trans>Paste a request</Trans>
                </Button>
              }
            >
              <Trans>
                It was cut off or changed, or isn’t a valid request. Ask for it again. Nothing was signed or
                shared.
              </Trans>
            </Notice>
          ) : (
            <Notice tone="bad" title={t`Keyhole refused this request before it reached you.`}>
              {refusal.code === 'TOO_BROAD' ? (
                <Trans>
                  It asks for more than Keyhole grants on request. You can grant that by hand, to someone you
                  know.
                </Trans>
              ) : (
                <Trans>
                  This isn’t a valid request. Nothing was signed, and nothing about you was shared.
                </Trans>
              )}
            </Notice>
          )}
          <Fold title={t`Details`}>
            <Trans>
              For its developer: <code>{refusal.message}</code>
            </Trans>
          </Fold>
        </>
      )
    }
    case 'asked': {
      const { request, origin, reply, text, name, replyTo, service } = asked
      // Another request starts from scratch: nothing chosen or seen for one counts for the next.
      const which = exactJson([origin, request, text ?? null])
      const { outcome, sending } = ended?.which === which ? ended : {}
      const end = (how: Outcome, answer: Answer) => {
        const sending =
          replyTo && text !== undefined
            ? beginSending(async () => {
                const { sendAnswer } = await replyParts()
                return await sendAnswer(vault, text, replyTo, answer)
              })
            : undefined
        last = { which, outcome: how, sending }
      }
      const drawEnd = () => setEnded(last)
      const decline = (before: AnsweredBefore) => {
        reply?.refused('DECLINED', NO)
        end({ declined: request.kind, before }, { refused: 'DECLINED', message: NO })
        drawEnd()
      }
      const delivery = sending && (
        <Later>
          <Delivery {...sending} />
        </Later>
      )
      if (outcome && 'declined' in outcome)
        return <Declined {...outcome} isApp={reply !== undefined} delivery={delivery} />
      if (outcome !== undefined)
        return (
          <Granted
            token={outcome.token}
            suggested={name ?? (origin && hostOf(origin))}
            isApp={reply !== undefined}
            delivery={delivery}
          />
        )
      return (
        <>
          <RequestHeading kind={request.kind} origin={origin} />
          {request.kind === 'capability' && text !== undefined ? <CodeCard text={text} name={name} /> : null}
          {request.kind === 'capability' ? (
            <CapabilityForm
              key={which}
              {...{ request, origin, name, replyTo, service }}
              onGranted={async (token) => {
                end({ token }, { token: token.token })
                if (reply) {
                  reply.granted(token.token)
                  await closing()
                }
                drawEnd()
              }}
              onDeclined={() => decline('no')}
            />
          ) : (
            <Suspense fallback={null}>
              <PaymentForm
                key={which}
                request={request}
                origin={origin}
                give={reply && ((token) => reply.granted(token))}
                onDeclined={decline}
              />
            </Suspense>
          )}
        </>
      )
    }
  }
}

interface DeclinedProps {
  declined: ConnectRequest['kind']
  before: AnsweredBefore
  isApp: boolean
  delivery: ReactNode
}

/** What declining did. It claims no more about a payment than the vault can tell. */
function Declined({ declined, before, isApp, delivery }: DeclinedProps) {
  const { t } = useLingui()
  return (
    <Result>
      <PageHeader title={t`Declined`} />
      <Notice>
        {declined === 'payment' ? (
          isApp ? (
            before === 'no' ? (
              <Trans>
                Nothing was signed now. The app learns only that you declined. You can close this window.
              </Trans>
            ) : (
              <Trans>
                The app learns that you declined. If you countersigned this before, that still counts. You can
                close this window.
              </Trans>
            )
          ) : before === 'no' ? (
            <Trans>Nothing was signed now. The person who asked won’t know unless you tell them.</Trans>
          ) : (
            <Trans>
              The person who asked won’t know unless you tell them. If you countersigned it before, that still
              counts.
            </Trans>
          )
        ) : delivery ? (
          <Trans>Nothing was signed. The program that asked learns only that you declined.</Trans>
        ) : isApp ? (
          <Trans>Nothing was signed. The app learns only that you declined. You can close this window.</Trans>
        ) : (
          <Trans>Nothing was signed. The person who asked won’t know unless you tell them.</Trans>
        )}
      </Notice>
      {delivery}
    </Result>
  )
}
