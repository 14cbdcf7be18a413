import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { Asker } from '../../shared/asker/asker.tsx'
import { exactJson } from '../../shared/policy/json.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { CapabilityForm } from './capability-form.tsx'
import { Granted } from './granted.tsx'
import { RequestHeading } from './request-heading.tsx'
import { useAsked } from './use-asked.ts'

const PaymentForm = lazy(() => import('./payment-form.tsx'))
const PasteRequest = lazy(() => import('./paste-request.tsx'))

/** How it ended. */
type Outcome = { readonly token: StoredToken } | 'declined'

/** How a request ended, by what it was. */
interface Ended {
  readonly which: string
  readonly outcome: Outcome
}

/** The last that ended in this document: what was answered is not asked again where the page is drawn anew. */
let last: Ended | undefined

/** For how long the page stays as it is when an app has its answer, in milliseconds: it closes the window, and drawing would only hold that up. */
const CLOSING = 100

const closing = () => new Promise<void>((resolve) => setTimeout(resolve, CLOSING))

/** What apps, agents and devices ask of the vault, one request a document. */
export default function ConnectPage() {
  const { t } = useLingui()
  const [asked, setAsked] = useAsked()
  const [ended, setEnded] = useState(last)
  switch (asked.state) {
    case 'waiting':
      return (
        <>
          <PageHeader title={t`Connect`} />
          <Card>
            <Progress label={t`Waiting for the app to say what it wants…`} value={null} />
          </Card>
        </>
      )
    case 'blank':
      return (
        <>
          <PageHeader title={t`Answer a request`}>
            <Trans>
              An agent or a device without a window of its own asks by a text, a link or a QR code. What you
              answer is shown here, for you to hand over.
            </Trans>
          </PageHeader>
          <Suspense fallback={null}>
            <PasteRequest onAsked={setAsked} />
          </Suspense>
        </>
      )
    case 'wrong':
      return (
        <>
          <PageHeader title={t`Nothing to decide`} />
          {asked.origin === undefined ? null : <Asker origin={asked.origin} />}
          <Notice tone="bad" title={t`This request was refused before it came to you.`}>
            <p>
              {asked.refusal.code === 'TOO_BROAD' ? (
                <Trans>
                  It asks for more than is granted to whoever asks. You can grant that by hand, to someone you
                  know.
                </Trans>
              ) : (
                <Trans>
                  It is not as a request has to be. Nothing was signed, and nothing was told of you.
                </Trans>
              )}
            </p>
            <p className="mt-1">
              <Trans>
                For its developer: <code>{asked.refusal.message}</code>
              </Trans>
            </p>
          </Notice>
        </>
      )
    case 'asked': {
      const { request, origin, reply } = asked
      // Another request is decided from the beginning: nothing that was chosen or in sight for one counts for the next.
      const which = exactJson([origin, request])
      const outcome = ended?.which === which ? ended.outcome : undefined
      const end = (how: Outcome) => {
        last = { which, outcome: how }
      }
      const drawEnd = () => setEnded(last)
      if (outcome === 'declined') return <Declined isApp={reply !== undefined} />
      if (outcome !== undefined)
        return <Granted token={outcome.token} origin={origin} isApp={reply !== undefined} />
      return (
        <>
          <RequestHeading origin={origin} />
          {request.kind === 'capability' ? (
            <CapabilityForm
              key={which}
              request={request}
              origin={origin}
              onGranted={async (token) => {
                end({ token })
                if (reply) {
                  reply.granted(token.token)
                  await closing()
                }
                drawEnd()
              }}
              onDeclined={() => {
                reply?.refused('DECLINED', 'The person said no.')
                end('declined')
                drawEnd()
              }}
            />
          ) : (
            <Suspense fallback={null}>
              <PaymentForm
                key={which}
                request={request}
                origin={origin}
                onSigned={(token) => reply?.granted(token)}
                onDeclined={() => {
                  reply?.refused('DECLINED', 'The person said no.')
                  end('declined')
                  drawEnd()
                }}
              />
            </Suspense>
          )}
        </>
      )
    }
  }
}

function Declined({ isApp }: { isApp: boolean }) {
  return (
    <Result>
      <Notice title={<Trans>Declined</Trans>}>
        {isApp ? (
          <Trans>Nothing was signed, and the app knows no more than that. You can close this window.</Trans>
        ) : (
          <Trans>Nothing was signed. Whoever asked learns nothing of it unless you tell them.</Trans>
        )}
      </Notice>
    </Result>
  )
}
