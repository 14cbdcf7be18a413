import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Term } from '../glossary/term.tsx'
import { letsMissingThrough } from '../grant-words/limits.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { TextArea } from '../ui/fields/text-area.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { editText, editWords, type PolicyDraft, type ReadPolicyDraft } from './draft.ts'
import { FieldChips } from './field-chips.tsx'
import { exampleOf, knownFields } from './known-fields.ts'
import type { PolicyNode } from './node.ts'
import { NodeList } from './node-editor.tsx'

interface PolicyEditorProps {
  draft: PolicyDraft
  onDraftChange: (draft: PolicyDraft) => void
  read: ReadPolicyDraft
  /** The command the limits are for. Its fields are offered if Keyhole knows them. */
  command?: string
  /** Whether other limits, told elsewhere, apply besides these. */
  isWithin?: boolean
}

/** The limits of a grant in words, and the exact policy. Editing one updates the other. */
export function PolicyEditor({
  draft,
  onDraftChange,
  read,
  command = '',
  isWithin = false,
}: PolicyEditorProps) {
  const { t } = useLingui()
  // If the text has an error when the person comes back, keep it unfolded.
  const [opened] = useState(read.textProblem !== undefined)
  const [fresh, setFresh] = useState<number>()
  const add = (node: PolicyNode) => {
    setFresh(node.id)
    onDraftChange(editWords(draft, [...draft.nodes, node]))
  }
  const lines = Math.min(14, Math.max(2, draft.text.split('\n').length))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">
        <Trans>Limits</Trans>
      </legend>
      <p className="text-ink-faint text-sm">
        {draft.nodes.length > 0 ? (
          <Trans>All of them must be met.</Trans>
        ) : isWithin ? (
          <Trans>No limits of your own yet. The ones you were given still apply.</Trans>
        ) : (
          <Trans>No limits yet. All that the command covers is allowed.</Trans>
        )}{' '}
        <Term of="limit">
          <Trans>What’s a limit?</Trans>
        </Term>
      </p>
      <NodeList
        nodes={draft.nodes}
        prefix=""
        look={{ problems: read.nodeProblems, fresh, exampleOf: (field) => exampleOf(command, field) }}
        onNodesChange={(nodes) => onDraftChange(editWords(draft, nodes))}
      />
      <FieldChips fields={knownFields(command)} nodes={draft.nodes} onAdd={add} />
      {read.textProblem === undefined ? null : (
        <p className="text-ink-faint text-sm">
          <Trans>The JSON below can’t be read yet. The limits above haven’t changed.</Trans>
        </p>
      )}
      {letsMissingThrough(read.policy) ? (
        <Notice tone="warn" title={t`A “not” lets through what is missing.`}>
          <Trans>
            If a request leaves out the field under it, the “not” is met. Add a limit that asks for the field.
          </Trans>
        </Notice>
      ) : null}
      <Fold title={t`Edit as JSON`} open={opened}>
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
