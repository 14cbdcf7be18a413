import { useLingui } from '@lingui/react/macro'
import type { Problem } from '../../../../../../examples/verify-server/authority.js'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { sentence, tokenRefusal } from '../../../shared/words/refusal.ts'

/** What the service refused something by. */
export function RuleNotice({ problem: { name, message } }: { problem: Problem }) {
  const { t } = useLingui()
  return (
    <Notice
      tone="warn"
      title={t`The service refused: ${tokenRefusal(name)?.title ?? name}`}
      className="w-full"
    >
      {sentence(message)} <code>{name}</code>
    </Notice>
  )
}
