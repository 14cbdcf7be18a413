import type { OwnRefusalName } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { explainText } from '../words/refusal.ts'
import type { ProofKind } from '../words/unlock-kinds.ts'
import { MissingProof } from './use-proof.ts'

function missing(kind: ProofKind): string {
  switch (kind) {
    case 'passphrase':
      return t`Type the passphrase of this vault.`
    case 'passkey':
      return t`Use a passkey of this vault.`
    case 'recovery_code':
      return t`Type the recovery code of this vault.`
  }
}

/** Words of its own for a kind that was wrong; undefined for a passphrase, for which the general ones are right. */
function wrong(kind: ProofKind): string | undefined {
  switch (kind) {
    case 'passphrase':
      return undefined
    case 'passkey':
      return t`This passkey does not open it. It may have been removed from this vault: use another method.`
    case 'recovery_code':
      return t`This recovery code does not open it. A newer one may have taken its place: look for that one.`
  }
}

/** What a proof was refused with, for the kind that was given; undefined while nothing was, and for a wait that is shown. */
export function proofProblem(error: unknown, kind: ProofKind): string | undefined {
  if (error === undefined || (waitUntil(error) !== undefined && !isWrong(error))) return undefined
  if (error instanceof MissingProof) return missing(kind)
  return (isWrong(error) ? wrong(kind) : undefined) ?? explainText(error)
}

/** Whether an error is about the proof itself, and belongs under its field. */
export function isAboutProof(error: unknown): boolean {
  return error instanceof MissingProof || isWrong(error) || waitUntil(error) !== undefined
}

/** What is refused by the same code without being a wrong proof. */
const CHOSEN: ReadonlySet<unknown> = new Set<OwnRefusalName>([
  'PassphraseTooEasy',
  'PassphraseTooLong',
  'PassphraseTooShort',
])

function isWrong(error: unknown): boolean {
  return field(error, 'code') === 'INVALID_PASSPHRASE' && !CHOSEN.has(field(field(error, 'details'), 'name'))
}

/** When the next try may be made, in milliseconds since 1970; undefined where it may be made at once. */
export function waitUntil(error: unknown): number | undefined {
  const at = field(field(error, 'details'), 'retryAt')
  return typeof at === 'number' ? at : undefined
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
