import { useCallback, useMemo, useState } from 'react'
import { comparable, freed } from '../../../features/services/called-tool.ts'
import type { ChosenLimits } from '../../../features/services/chosen-limits.ts'
import { exactJson } from '../../../shared/policy/json.ts'
import {
  EMPTY_POLICY,
  editText,
  type PolicyDraft,
  type ReadPolicyDraft,
  readPolicyDraft,
} from '../../../shared/policy-editor/draft.ts'

interface Limits {
  /** All limits as the editor shows them. */
  readonly limits: PolicyDraft
  readonly setLimits: (limits: PolicyDraft) => void
  /** Those of the tool's fields. */
  readonly chosen: ChosenLimits
  readonly setChosen: (chosen: ChosenLimits) => void
  /** All limits, as they would be signed. Not ok while one isn't finished. */
  readonly read: ReadPolicyDraft
}

/** No field is limited. */
const NONE: ChosenLimits = {}

const unfinished = (chosen: ChosenLimits): ChosenLimits =>
  Object.fromEntries(Object.entries(chosen).filter(([, { isFinished }]) => !isFinished))

/**
 * The limits of a grant while a person changes them: what was asked, what they change in the editor, and on top of both what they choose
 * for the tool's fields. For a field that the request sets to one value they can choose something wider instead. The editor shows all of
 * them. Once a person edits there, what they had chosen by field is part of that edit.
 */
export function useLimits(asked: readonly unknown[]): Limits {
  const [edited, setEdited] = useState(() => editText(EMPTY_POLICY, exactJson(asked)))
  const [chosen, setChosen] = useState(NONE)
  const base = useMemo(() => readPolicyDraft(edited), [edited])
  const limits = useMemo(() => {
    const replaced = Object.entries(chosen).filter(([, { isInstead, isFinished }]) => isInstead && isFinished)
    const kept = freed(base.policy, new Set(replaced.map(([selector]) => comparable(selector))))
    const present = new Set(kept.map(exactJson))
    const added = Object.values(chosen)
      .flatMap(({ statements }) => statements)
      .filter((statement) => !present.has(exactJson(statement)))
    // What can't be read yet stays as it was typed.
    return base.ok && (added.length > 0 || kept.length < base.policy.length)
      ? editText(EMPTY_POLICY, exactJson([...kept, ...added]))
      : edited
  }, [edited, base, chosen])
  const setLimits = useCallback(
    (next: PolicyDraft) => {
      setEdited(next)
      // They are part of it. What it doesn't show yet stays chosen: it may not be forgotten.
      if (base.ok) setChosen(unfinished)
    },
    [base],
  )
  const read = useMemo(() => {
    const all = readPolicyDraft(limits)
    return { ...all, ok: all.ok && Object.values(chosen).every(({ isFinished }) => isFinished) }
  }, [limits, chosen])
  return { limits, setLimits, chosen, setChosen, read }
}
