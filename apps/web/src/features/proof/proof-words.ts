import { explain, explainText } from '../words/refusal.ts'
import type { ProofKind } from './kinds.ts'
import { MissingProof } from './use-proof.ts'

const MISSING: Readonly<Record<ProofKind, string>> = {
  passphrase: 'Type the passphrase of this vault.',
  passkey: 'Use a passkey of this vault.',
  recovery_code: 'Type the recovery code of this vault.',
}

const WRONG: Readonly<Record<ProofKind, string | undefined>> = {
  passphrase: undefined,
  passkey: 'This passkey does not open it. It may have been removed from this vault: use another method.',
  recovery_code:
    'This recovery code does not open it. A newer one may have taken its place: look for that one.',
}

/** What a proof was refused with, for the kind that was given; undefined while nothing was, and for a wait that is shown. */
export function proofProblem(error: unknown, kind: ProofKind): string | undefined {
  if (error === undefined || (waitUntil(error) !== undefined && !isWrong(error))) return undefined
  if (error instanceof MissingProof) return MISSING[kind]
  return (isWrong(error) ? WRONG[kind] : undefined) ?? explainText(error)
}

/** Whether an error is about the proof itself, and belongs under its field. */
export function isAboutProof(error: unknown): boolean {
  return error instanceof MissingProof || isWrong(error) || waitUntil(error) !== undefined
}

function isWrong(error: unknown): boolean {
  return (
    field(error, 'code') === 'INVALID_PASSPHRASE' &&
    explain(error).title === explain({ code: 'INVALID_PASSPHRASE' }).title
  )
}

/** When the next try may be made, in milliseconds since 1970; undefined where it may be made at once. */
export function waitUntil(error: unknown): number | undefined {
  const at = field(field(error, 'details'), 'retryAt')
  return typeof at === 'number' ? at : undefined
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
