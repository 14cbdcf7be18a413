import type { Refusal } from '@keyhole/verify'
import { useLingui } from '@lingui/react/macro'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { explainRule } from '../../../shared/words/explain-refusal.ts'

/** The rule by which the service refused. */
export function RuleNotice({ problem: { name } }: { problem: Refusal }) {
  const { t } = useLingui()
  const { title, advice } = explainRule({ name })
  return (
    <Notice tone="warn" title={t`The service refused: ${title}`} className="w-full">
      {advice} <code>{name}</code>
    </Notice>
  )
}
