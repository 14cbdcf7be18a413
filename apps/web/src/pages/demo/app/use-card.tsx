import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Fold } from '../../../shared/ui/layout/fold.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import type { Grant, RecipeApp } from './recipe-app.ts'
import { RuleNotice } from './rule-notice.tsx'
import type { Service } from './service.ts'
import { useStep } from './use-step.ts'

interface UseCardProps {
  app: RecipeApp | undefined
  service: Service | undefined
  grant: Grant | undefined
}

type Answer = Awaited<ReturnType<Service['check']>>

/** The app's calls, and the service's decision about each. */
export function UseCard({ app, service, grant }: UseCardProps) {
  const { t } = useLingui()
  const [sent, setSent] = useState<string>()
  const [answer, setAnswer] = useState<Answer>()
  const send = useStep(async (signed: (app: RecipeApp, grant: Grant) => Promise<string>) => {
    if (!app || !service || !grant) return
    setAnswer(undefined)
    const call = await signed(app, grant)
    setSent(call)
    setAnswer(await service.check(call))
  })
  const isOff = grant === undefined || send.pending
  return (
    <Card
      title={t`2. Use it`}
      description={t`Each call is signed by the app’s key and carries the grant. The service accepts it only if the grant allows it, and only once.`}
    >
      <div className="flex flex-col items-start gap-4">
        <div className="flex flex-wrap gap-2">
          <Button disabled={isOff} onClick={() => send.run((app, grant) => app.call(grant, 'recipes'))}>
            <Trans>Read the recipes</Trans>
          </Button>
          <Button disabled={isOff} onClick={() => send.run((app, grant) => app.overreach(grant, 'letters'))}>
            <Trans>Read the letters</Trans>
          </Button>
          <Button disabled={isOff || sent === undefined} onClick={() => send.run(async () => sent ?? '')}>
            <Trans>Send the last call again</Trans>
          </Button>
        </div>
        <p className="text-ink-soft text-sm">
          <Trans>
            The app doesn’t ask for letters. “Read the letters” tries anyway, as a dishonest app would. The
            service refuses it.
          </Trans>
        </p>
        <Failure error={send.error} />
        {answer === undefined ? null : !answer.authorized ? (
          <RuleNotice problem={answer.refusal} />
        ) : (
          <Notice tone="good" title={t`The service let it in.`} className="w-full">
            <Trans>It checked the call offline, and asked neither the vault nor any other server.</Trans>
          </Notice>
        )}
        {sent === undefined ? null : (
          <div className="w-full">
            <Fold title={t`The call as it was sent`}>
              <CodeBlock label={t`invocation`} text={sent} />
            </Fold>
          </div>
        )}
      </div>
    </Card>
  )
}
