import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Notice } from '../../components/notice.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { sentence, tokenRefusal } from '../words/refusal.ts'
import { Sentence } from '../words/sentence.tsx'
import { type Answer, AppDesk, WISH } from './app-desk.ts'
import type { Sandbox } from './sandbox.ts'

const HOUR = 3600

/** An app asks for one thing, the person grants it, the app uses it at a service, and the person ends it. */
export function AppPanel({ sandbox }: { sandbox: Sandbox }) {
  const { t } = useLingui()
  const [desk] = useState(() => new AppDesk(sandbox))
  const [asked, setAsked] = useState(false)
  const [token, setToken] = useState<string>()
  const [ended, setEnded] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const [end] = useState(() => Date.now() + HOUR * 1000)
  const grant = useAction(async () => {
    setToken(await desk.grant(HOUR))
    setAsked(false)
    setEnded(false)
    setAnswer(undefined)
  })
  const use = useAction(async (folder: string) => setAnswer(await desk.use(folder)))
  const close = useAction(async () => {
    await desk.end()
    setEnded(true)
    setAnswer(undefined)
  })
  const { owner, helper } = sandbox
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card
        title={t`An app`}
        description={t`It shows recipes, which lie at a service that belongs to the owner. It has a key of its own, and no password.`}
      >
        <div className="flex flex-col items-start gap-4">
          <Button
            tone="primary"
            onClick={() => setAsked(true)}
            disabled={asked || (token !== undefined && !ended)}
          >
            <Trans>Connect to the vault</Trans>
          </Button>
          {token === undefined ? null : (
            <>
              <div className="flex flex-wrap gap-2">
                <Button onClick={() => use.run('recipes')} busy={use.pending}>
                  <Trans>Read the recipes</Trans>
                </Button>
                <Button onClick={() => use.run('letters')} busy={use.pending}>
                  <Trans>Read the letters</Trans>
                </Button>
              </div>
              <Came answer={answer} />
              <Failure error={use.error} />
              <CodeBlock label={t`token`} text={token} wrap tall />
            </>
          )}
        </div>
      </Card>
      <Card
        title={t`The vault`}
        description={t`In a real app this is a window of the vault’s own, which says who asks by what the browser knows of it.`}
      >
        <div className="flex flex-col items-start gap-4">
          {asked ? (
            <>
              <Sentence
                acquaintance={{ own: new Set([owner.did]) }}
                capability={{
                  ...{ issuer: owner.did, audience: helper.did, subject: owner.did },
                  ...WISH,
                  expiresAt: end,
                }}
              />
              <Failure error={grant.error} />
              <div className="flex flex-wrap gap-2">
                <Button tone="primary" onClick={() => grant.run()} busy={grant.pending}>
                  <Trans>Grant it</Trans>
                </Button>
                <Button onClick={() => setAsked(false)} disabled={grant.pending}>
                  <Trans>Decline</Trans>
                </Button>
              </div>
            </>
          ) : token === undefined ? (
            <p className="text-ink-soft">
              <Trans>Nobody asks for anything.</Trans>
            </p>
          ) : ended ? (
            <Notice tone="good" title={t`Ended and revoked`}>
              <Trans>
                The service has been told. The app still has its token: see what that is worth now.
              </Trans>
            </Notice>
          ) : (
            <>
              <p className="text-ink-soft">
                <Trans>The app is connected.</Trans>
              </p>
              <Failure error={close.error} />
              <Button onClick={() => close.run()} busy={close.pending}>
                <Trans>End the session</Trans>
              </Button>
            </>
          )}
        </div>
      </Card>
    </div>
  )
}

function Came({ answer }: { answer: Answer | undefined }) {
  const { t } = useLingui()
  if (answer === undefined) return null
  if (answer.done) {
    return (
      <Notice tone="good" title={t`The service gave them out.`}>
        <Trans>It checked the app’s request offline, with the enclave alone.</Trans>
      </Notice>
    )
  }
  const { name, message } = answer
  const said = sentence(message)
  return (
    <Notice tone="warn" title={tokenRefusal(name)?.title ?? t`Refused`}>
      {said} <code>{name}</code>
    </Notice>
  )
}
