import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import { isOpening } from '../../../shared/vault/is-opening.ts'
import { refusalTitle } from '../../../shared/words/explain-refusal.ts'
import type { Contacts } from '../../../shared/words/who.ts'
import { SAMPLE, SAMPLE_CAPABILITY, SAMPLE_OWNER, widened } from './sample.ts'

interface Verdict {
  readonly of: 'token' | 'widened'
  readonly refusal?: string
}

/** A real token beside its sentence, checked on demand by the engine of this very page; and changed, and refused. */
export function SampleGrant() {
  const { t } = useLingui()
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const [verdict, setVerdict] = useState<Verdict>()
  const check = useAction(async (of: Verdict['of']) => {
    const token = of === 'token' ? SAMPLE : widened(SAMPLE)
    const result = await vault.tokens.verify({ token })
    const { valid } = result
    setVerdict(valid ? { of } : { of, refusal: refusalTitle(result.error.name) ?? result.error.name })
  })
  // The reader is to see themselves in it, and someone with a name.
  const named = { id: 'sample', name: t`Photo printer`, kind: 'app', isAlike: false }
  const asYou: Contacts = {
    own: new Set([SAMPLE_OWNER]),
    named: new Map([[SAMPLE_CAPABILITY.audience, named]]),
    isSealed: false,
  }
  const ready = !isOpening(phase) && phase !== 'failed'
  return (
    <div className="grid items-stretch gap-4 lg:grid-cols-2">
      <Card title={t`What you sign`} level={3}>
        <div className="flex flex-col gap-5">
          <SentenceView capability={SAMPLE_CAPABILITY} contacts={asYou} className="text-lg sm:text-xl" />
          <div className="flex flex-wrap gap-2">
            <Button
              onClick={() => check.run('token')}
              disabled={!ready}
              icon={<BadgeCheck className="size-4" aria-hidden />}
            >
              <Trans>Check it</Trans>
            </Button>
            <Button
              onClick={() => check.run('widened')}
              disabled={!ready}
              icon={<ShieldAlert className="size-4" aria-hidden />}
            >
              <Trans>Change the limit and check</Trans>
            </Button>
          </div>
          <div role="status">{verdict ? <Words verdict={verdict} /> : null}</div>
          <Failure error={check.error} />
        </div>
      </Card>
      <Card title={t`What they get`} level={3}>
        <div className="flex flex-col gap-3">
          <CodeBlock label={t`token`} text={SAMPLE} />
          <p className="text-ink-soft text-sm">
            <Trans>
              Only the holder of its key can use it, narrow it or pass it on. Anyone can check it offline.
            </Trans>
          </p>
        </div>
      </Card>
    </div>
  )
}

function Words({ verdict: { of, refusal } }: { verdict: Verdict }) {
  const { t } = useLingui()
  if (refusal !== undefined) {
    return (
      <Notice tone="warn" title={t`Refused: ${refusal}`}>
        {of === 'widened' ? (
          <Trans>The limit was changed to every path after it was signed. No service accepts that.</Trans>
        ) : null}
      </Notice>
    )
  }
  return (
    <Notice tone="good" title={t`Valid.`}>
      <Trans>Signature, dates, limits and chain were checked here, in this tab. No server was asked.</Trans>
    </Notice>
  )
}
