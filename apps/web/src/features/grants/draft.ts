import { exactJson } from '../policy/json.ts'
import { readPolicy } from '../policy/policy-text.ts'
import { policyToRows, type Row, rowProblem, rowsToPolicy } from '../policy/rows.ts'
import { commandProblem } from '../words/command.ts'
import { didProblem } from '../words/recognise.ts'
import { type ExpiryChoice, readExpiry } from './expiry.ts'
import type { Template } from './templates.ts'

/** A grant as it is being filled in: nothing in it is secret, all of it is kept while the page is open. */
export interface GrantDraft {
  audience: string
  command: string
  /** Limits as rows, or as JSON for what rows cannot say. */
  limits: { mode: 'rows'; rows: readonly Row[] } | { mode: 'json'; text: string }
  expiry: ExpiryChoice
  /** Local date and time, for the expiry "on". */
  expiresOn: string
  label: string
  keyId: string
}

export const EMPTY_DRAFT: GrantDraft = {
  audience: '',
  command: '',
  limits: { mode: 'rows', rows: [] },
  expiry: '24h',
  expiresOn: '',
  label: '',
  keyId: '',
}

export function isGrantDraft(value: unknown): value is GrantDraft {
  return typeof value === 'object' && value !== null && 'audience' in value && 'limits' in value
}

/** What is wrong with each field, in words. */
export interface DraftProblems {
  audience?: string
  command?: string
  limits?: string
  /** By row id. */
  rows: Readonly<Record<number, string>>
  expiry?: string
}

/** A draft as the request it makes, and what stands in its way. Both, so that a preview can show the half that is there. */
export interface ReadDraft {
  problems: DraftProblems
  ok: boolean
  policy: unknown[]
  expiresAt: number | undefined
}

/** @param now milliseconds */
export function readDraft(draft: GrantDraft, now: number): ReadDraft {
  const rows: Record<number, string> = {}
  const problems: DraftProblems = { rows }
  let policy: unknown[] = []
  if (draft.limits.mode === 'rows') {
    for (const row of draft.limits.rows) {
      const problem = rowProblem(row)
      if (problem !== undefined) rows[row.id] = problem
    }
    policy = rowsToPolicy(draft.limits.rows.filter((row) => rows[row.id] === undefined))
  } else {
    const read = readPolicy(draft.limits.text)
    if ('problem' in read) problems.limits = read.problem
    else policy = read.policy
  }
  const audience = didProblem(draft.audience)
  if (audience) problems.audience = audience
  const command = commandProblem(draft.command.trim())
  if (command) problems.command = command
  const expiry = readExpiry(draft.expiry, draft.expiresOn, now)
  if ('problem' in expiry) problems.expiry = expiry.problem
  const ok = !audience && !command && !problems.limits && !problems.expiry && Object.keys(rows).length === 0
  return { problems, ok, policy, expiresAt: 'at' in expiry ? expiry.at : undefined }
}

/** Moves the limits to the other way of writing them; rows only where rows can say it all. */
export function switchLimits(limits: GrantDraft['limits']): GrantDraft['limits'] | { problem: string } {
  if (limits.mode === 'rows') return { mode: 'json', text: exactJson(rowsToPolicy(limits.rows)) }
  const read = readPolicy(limits.text)
  if ('problem' in read) return { problem: read.problem }
  const rows = policyToRows(read.policy)
  if (!rows)
    return { problem: 'This policy uses and, or, not, all or any: rows cannot show it, so it stays as JSON.' }
  return { mode: 'rows', rows }
}

/** A draft begun from a template; who it is for and what it is called stay. */
export function fromTemplate(draft: GrantDraft, template: Template): GrantDraft {
  return {
    ...draft,
    command: template.command,
    limits: { mode: 'rows', rows: template.rows.map((row, id) => ({ ...row, id })) },
    expiry: template.expiry,
  }
}
