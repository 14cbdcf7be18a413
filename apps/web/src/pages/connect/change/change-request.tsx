import { useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import type { ChosenLimits } from '../../../features/services/chosen-limits.ts'
import { spendsOrSends } from '../../../shared/grant-words/consequence.ts'
import type { PolicyDraft, ReadPolicyDraft } from '../../../shared/policy-editor/draft.ts'
import { PolicyEditor } from '../../../shared/policy-editor/policy-editor.tsx'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import { type Ending, endings } from '../ending.ts'
import { Later } from '../optional-part.tsx'

const ToolLimits = lazy(async () => ({
  default: (await import('../../../features/services/chunk.ts')).ToolLimits,
}))

interface ChangeRequestProps {
  command: string
  /** An introduction of the service that has the tool, as it came with the request. */
  service: string | undefined
  /** The policy that was asked for. */
  asked: readonly unknown[]
  /** How long the asker asked for, in seconds. */
  expiresIn: number
  ending: Ending
  onEndingChange: (ending: Ending) => void
  /** By the tool's fields, on top of what was asked. */
  chosen: ChosenLimits
  onChosenChange: (chosen: ChosenLimits) => void
  /** All limits, with those. */
  limits: PolicyDraft
  onLimitsChange: (limits: PolicyDraft) => void
  read: ReadPolicyDraft
}

/** Calls of tools and prompts, whose fields a service may describe. The script that finds out is loaded for them alone. */
const DESCRIBED = ['/mcp/tools/call', '/mcp/prompts/get']

/** What a person changes in a request before they grant it: the end and the limits. */
export function ChangeRequest({
  command,
  service,
  asked,
  expiresIn,
  ending,
  onEndingChange,
  chosen,
  onChosenChange,
  limits,
  onLimitsChange,
  read,
}: ChangeRequestProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-5">
      <Choice
        label={t`Expires`}
        options={endings(expiresIn, !spendsOrSends(command))}
        value={ending}
        onValueChange={onEndingChange}
      />
      {DESCRIBED.includes(command) ? (
        <Later>
          <ToolLimits {...{ command, service, asked, chosen, onChosenChange }} />
        </Later>
      ) : null}
      <PolicyEditor draft={limits} onDraftChange={onLimitsChange} read={read} />
    </div>
  )
}
