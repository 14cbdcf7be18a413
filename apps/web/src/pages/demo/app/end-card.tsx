import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { RuleNotice } from './rule-notice.tsx'
import type { Service } from './service.ts'
import { useStep } from './use-step.ts'

type Taken = Awaited<ReturnType<Service['revoke']>>

/** Gives the service the revocation that the vault signs when you end the session. */
export function EndCard({ service }: { service: Service | undefined }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const [taken, setTaken] = useState<Taken>()
  const hand = useStep(async () => {
    if (!service) return
    setTaken(undefined)
    setTaken(await service.revoke(text.trim()))
  })
  return (
    <Card
      title={t`3. End it`}
      description={t`In your vault, end this site’s session. That signs a revocation. The app keeps its token, but services that know the revocation refuse it.`}
    >
      <div className="flex flex-col items-start gap-4">
        <a
          href="/identity?tab=sessions"
          target="_blank"
          rel="noopener"
          className={buttonClass('quiet', 'normal', 'text-center')}
        >
          <Trans>Open Apps and tabs</Trans>
        </a>
        <div className="w-full">
          <TextArea
            label={t`The revocation`}
            hint={t`The vault shows it once the session is ended. Copy it there.`}
            value={text}
            onValueChange={setText}
            rows={3}
            mono
          />
        </div>
        <Button
          disabled={service === undefined || text.trim() === ''}
          busy={hand.pending}
          onClick={() => hand.run()}
        >
          <Trans>Hand it to the service</Trans>
        </Button>
        <Failure error={hand.error} />
        {taken === undefined ? null : !('added' in taken) ? (
          <RuleNotice problem={taken.refusal} />
        ) : (
          <Notice tone="good" title={t`The service knows of it.`} className="w-full">
            <Trans>Read the recipes once more, and see what the token is worth now.</Trans>
          </Notice>
        )}
      </div>
    </Card>
  )
}
