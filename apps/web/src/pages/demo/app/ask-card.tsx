import { ConnectError, type ConnectErrorCode, requestCapability } from '@keyhole/connect'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Fold } from '../../../shared/ui/layout/fold.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { NOBODY } from '../../../shared/words/who.ts'
import { type Grant, type RecipeApp, WISH } from './recipe-app.ts'
import { useStep } from './use-step.ts'

interface AskCardProps {
  /** Undefined until its key is created. */
  app: RecipeApp | undefined
  /** Whether creating it failed. */
  isFailed: boolean
  grant: Grant | undefined
  onGrant: (grant: Grant) => void
}

/** The app asks this site's vault, in the vault's own window, and shows the result. */
export function AskCard({ app, isFailed, grant, onGrant }: AskCardProps) {
  const { t } = useLingui()
  const [refused, setRefused] = useState<ConnectErrorCode>()
  const stop = useRef<AbortController>(undefined)
  const ask = useStep(async () => {
    if (!app) return
    setRefused(undefined)
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const token = await requestCapability({
        ...{ vault: location.origin, audience: app.did, ...WISH, reason: t`To show your recipes`, signal },
      })
      onGrant(await app.read(token))
    } catch (error) {
      if (error instanceof ConnectError) setRefused(error.code)
      else if (!signal.aborted) throw error
    }
  })
  return (
    <Card
      title={t`1. Ask`}
      description={t`The app asks to read your recipes for an hour. Your vault opens in its own window, shows who asks, and you decide there.`}
    >
      <div className="flex flex-col items-start gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="text-ink-faint">
            <Trans>The app’s key</Trans>
          </span>
          {app ? (
            <DidText text={app.did} what={t`the DID`} />
          ) : isFailed ? (
            '–'
          ) : (
            <Trans>is being made…</Trans>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" onClick={() => ask.run()} disabled={!app} busy={ask.pending}>
            {grant ? <Trans>Connect again</Trans> : <Trans>Connect to your vault</Trans>}
          </Button>
          {ask.pending ? (
            <Button onClick={() => stop.current?.abort()}>
              <Trans>Stop asking</Trans>
            </Button>
          ) : null}
        </div>
        <Failure error={ask.error} />
        <RefusedNotice code={refused} />
        {grant && !ask.pending ? (
          <>
            <Notice tone="good" title={t`It was granted.`} className="w-full">
              <SentenceView capability={grant.says} contacts={NOBODY} />
            </Notice>
            <div className="w-full">
              <Fold title={t`The token that the app got`}>
                <CodeBlock label={t`token`} text={grant.token} />
              </Fold>
            </div>
          </>
        ) : null}
      </div>
    </Card>
  )
}

function RefusedNotice({ code }: { code: ConnectErrorCode | undefined }) {
  const { t } = useLingui()
  if (code === undefined) return null
  const title = {
    DECLINED: t`It was declined.`,
    CLOSED: t`The vault’s window was closed.`,
    TIMEOUT: t`No one decided in time.`,
    BLOCKED: t`The browser did not open the vault’s window.`,
    INVALID_REQUEST: t`The vault refused the request.`,
    TOO_BROAD: t`The vault refused the request.`,
    UNSUPPORTED: t`The vault refused the request.`,
  }[code]
  return (
    <Notice tone="warn" title={title} className="w-full">
      <Trans>
        That is all the app is told: <code>{code}</code>
      </Trans>
    </Notice>
  )
}
