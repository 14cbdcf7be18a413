import type { Template as OwnTemplate } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { draftAt, setDraft, useDraft } from '../hooks/drafts.ts'
import { exactJson } from '../policy/json.ts'
import {
  EMPTY_POLICY,
  editText,
  type PolicyDraft,
  policyDraft,
  type ReadPolicyDraft,
  readPolicyDraft,
} from '../policy-editor/draft.ts'
import { readPolicy } from '../policy-editor/policy-text.ts'
import { commandProblem } from '../words/command.ts'
import { audienceProblem } from '../words/recognise.ts'
import { type ExpiryChoice, expiryLasting, readExpiry } from './expiry.ts'
import type { Template } from './templates.ts'

/** A grant as it is being filled in: nothing in it is secret, all of it is kept while the page is open. */
export interface GrantDraft {
  audience: string
  command: string
  limits: PolicyDraft
  expiry: ExpiryChoice
  /** Local date and time, for the expiry "on". */
  expiresOn: string
  label: string
  keyId: string
}

export const EMPTY_DRAFT: GrantDraft = {
  audience: '',
  command: '',
  limits: EMPTY_POLICY,
  expiry: '24h',
  expiresOn: '',
  label: '',
  keyId: '',
}

export function isGrantDraft(value: unknown): value is GrantDraft {
  return typeof value === 'object' && value !== null && 'audience' in value && 'limits' in value
}

const NAME = 'grant'

/** The grant that is being filled in. */
export function useGrantDraft(): [GrantDraft, (draft: GrantDraft) => void] {
  return useDraft(NAME, EMPTY_DRAFT, isGrantDraft)
}

/** Makes the grant that is being filled in out to someone; what else was typed stays. */
export function grantTo(audience: string): void {
  setDraft(NAME, { ...draftAt(NAME, EMPTY_DRAFT, isGrantDraft), audience })
}

/** Who the grant that is being filled in is for. */
export function draftAudience(): string {
  return draftAt(NAME, EMPTY_DRAFT, isGrantDraft).audience
}

/** What is wrong with each field, in words. */
export interface DraftProblems {
  audience?: string
  command?: string
  expiry?: string
}

/** A draft as the request it makes, and what stands in its way. Both, so that a preview can show the half that is there. */
export interface ReadDraft {
  problems: DraftProblems
  limits: ReadPolicyDraft
  ok: boolean
  policy: unknown[]
  expiresAt: number | undefined
}

/** @param now milliseconds @param signer the DID of the key that signs */
export function readDraft(draft: GrantDraft, now: number, signer?: string): ReadDraft {
  const problems: DraftProblems = {}
  const limits = readPolicyDraft(draft.limits)
  const audience = audienceProblem(draft.audience, signer)
  if (audience) problems.audience = audience
  const command = commandProblem(draft.command.trim())
  if (command) problems.command = command
  const expiry = readExpiry(draft.expiry, draft.expiresOn, now)
  if ('problem' in expiry) problems.expiry = expiry.problem
  const ok = Object.keys(problems).length === 0 && limits.ok
  return { problems, limits, ok, policy: limits.policy, expiresAt: 'at' in expiry ? expiry.at : undefined }
}

/** The link that a draft signs. Undefined while its command can't be read. */
export function ownLink({ command }: GrantDraft, { policy, problems }: ReadDraft) {
  return problems.command === undefined ? { command: command.trim(), policy } : undefined
}

/** The labels of the fields that are still empty or wrong, in the form's order. */
export function neededFields({ problems, limits }: Pick<ReadDraft, 'problems' | 'limits'>): string[] {
  return [
    ...(problems.audience === undefined ? [] : [t`Who`]),
    ...(problems.command === undefined ? [] : [t`What they can do`]),
    ...(limits.ok ? [] : [t`Limits`]),
    ...(problems.expiry === undefined ? [] : [t`Date and time`]),
  ]
}

/** A draft begun from a template; who it is for and what it is called stay. */
export function fromTemplate(draft: GrantDraft, template: Template): GrantDraft {
  const { command, policy, expiry } = template
  return { ...draft, command, limits: policyDraft(policy), expiry }
}

/** What a template keeps of a draft that is complete, but for its name. @param now milliseconds */
export function toOwnTemplate(
  draft: GrantDraft,
  { limits, policy, problems, expiresAt }: ReadDraft,
  now: number,
): Pick<OwnTemplate, 'command' | 'policy' | 'lifetime'> | undefined {
  if (problems.command || problems.expiry || !limits.ok || expiresAt === undefined) return undefined
  const lifetime = expiresAt - Math.floor(now / 1000)
  return { command: draft.command.trim(), policy: exactJson(policy), lifetime }
}

/** A draft begun from one of the owner's templates. @param now milliseconds */
export function fromOwnTemplate(draft: GrantDraft, template: OwnTemplate, now: number): GrantDraft {
  const { command, policy: text, lifetime } = template
  const read = readPolicy(text)
  const inWords = 'policy' in read ? policyDraft(read.policy) : EMPTY_POLICY
  const { ok, policy } = readPolicyDraft(inWords)
  // Limits that have no words are edited as text: they are never left out.
  const isSame = 'policy' in read && ok && exactJson(policy) === exactJson(read.policy)
  const limits = isSame ? inWords : editText(EMPTY_POLICY, text)
  return { ...draft, command, limits, ...expiryLasting(lifetime, now) }
}
