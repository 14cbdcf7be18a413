import { useLingui } from '@lingui/react/macro'
import type { PolicyDraft, ReadPolicyDraft } from '../../shared/policy-editor/draft.ts'
import { PolicyEditor } from '../../shared/policy-editor/policy-editor.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { type Ending, endings } from './ending.ts'

interface GiveLessProps {
  /** How long the asker asked for, in seconds. */
  expiresIn: number
  ending: Ending
  onEndingChange: (ending: Ending) => void
  limits: PolicyDraft
  onLimitsChange: (limits: PolicyDraft) => void
  read: ReadPolicyDraft
}

/** Grant less than was asked: an earlier expiry or narrower limits. */
export default function GiveLess({
  expiresIn,
  ending,
  onEndingChange,
  limits,
  onLimitsChange,
  read,
}: GiveLessProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-5">
      <Choice
        label={t`Until when`}
        options={endings(expiresIn)}
        value={ending}
        onValueChange={onEndingChange}
      />
      <PolicyEditor draft={limits} onDraftChange={onLimitsChange} read={read} />
    </div>
  )
}
