import { useLingui } from '@lingui/react/macro'
import { spendsOrSends } from '../../shared/grant-words/consequence.ts'
import type { PolicyDraft, ReadPolicyDraft } from '../../shared/policy-editor/draft.ts'
import { PolicyEditor } from '../../shared/policy-editor/policy-editor.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { type Ending, endings } from './ending.ts'

interface ChangeRequestProps {
  command: string
  /** How long the asker asked for, in seconds. */
  expiresIn: number
  ending: Ending
  onEndingChange: (ending: Ending) => void
  limits: PolicyDraft
  onLimitsChange: (limits: PolicyDraft) => void
  read: ReadPolicyDraft
}

/** What a person changes in a request before they grant it: the end and the limits. */
export default function ChangeRequest({
  command,
  expiresIn,
  ending,
  onEndingChange,
  limits,
  onLimitsChange,
  read,
}: ChangeRequestProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-5">
      <Choice
        label={t`Until when`}
        options={endings(expiresIn, !spendsOrSends(command))}
        value={ending}
        onValueChange={onEndingChange}
      />
      <PolicyEditor draft={limits} onDraftChange={onLimitsChange} read={read} />
    </div>
  )
}
