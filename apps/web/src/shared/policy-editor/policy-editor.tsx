import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { letsMissingThrough } from '../grant-words/limits.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { TextArea } from '../ui/fields/text-area.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { editText, editWords, type PolicyDraft, type ReadPolicyDraft } from './draft.ts'
import { NodeList } from './node-editor.tsx'

interface PolicyEditorProps {
  draft: PolicyDraft
  onDraftChange: (draft: PolicyDraft) => void
  read: ReadPolicyDraft
}

/** The limits of a grant in words, and the exact policy: each side follows the other as one edits. */
export function PolicyEditor({ draft, onDraftChange, read }: PolicyEditorProps) {
  const { t } = useLingui()
  // A text left with a mistake in it is not folded away when one comes back to it.
  const [opened] = useState(read.textProblem !== undefined)
  const lines = Math.min(14, Math.max(2, draft.text.split('\n').length))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">
        <Trans>Within which limits</Trans>
      </legend>
      <p className="text-ink-faint text-sm">
        {draft.nodes.length === 0 ? (
          <Trans>None yet: everything the command covers is allowed.</Trans>
        ) : (
          <Trans>All of them must hold.</Trans>
        )}
      </p>
      <NodeList
        nodes={draft.nodes}
        prefix=""
        problems={read.nodeProblems}
        onNodesChange={(nodes) => onDraftChange(editWords(draft, nodes))}
      />
      {read.textProblem === undefined ? null : (
        <p className="text-ink-faint text-sm">
          <Trans>The exact policy cannot be read yet: the limits in words are as they were.</Trans>
        </p>
      )}
      {letsMissingThrough(read.policy) ? (
        <Notice tone="warn" title={t`A “not” lets through what is missing.`}>
          <Trans>
            Where the field under it is left out of a request, the “not” holds. Add a limit that asks for the
            field.
          </Trans>
        </Notice>
      ) : null}
      <Fold title={t`As it stands in the token`} open={opened}>
        <TextArea
          label={t`The exact policy`}
          hint={t`The same limits as JSON. Change either side: the other follows.`}
          mono
          rows={lines}
          value={draft.text}
          onValueChange={(text) => onDraftChange(editText(draft, text))}
          placeholder='[["<=", ".amount", 5000]]'
          error={read.textProblem}
        />
      </Fold>
    </fieldset>
  )
}
