import type { OwnRefusalName } from '@keyhole/vault'
import { i18n } from '@lingui/core'
import { explainText } from '../words/explain-refusal.ts'
import { KINDS, type UnlockKind } from '../words/unlock-kinds.ts'
import { MissingUnlockProof } from './use-unlock-proof.ts'

/** Why a proof of this kind was refused. Undefined if it wasn't, and for a wait, which is shown separately. */
export function unlockProblem(error: unknown, kind: UnlockKind): string | undefined {
  if (error === undefined || (waitUntil(error) !== undefined && !isWrong(error))) return undefined
  const { missing, wrong } = KINDS[kind]
  if (error instanceof MissingUnlockProof) return i18n._(missing)
  return isWrong(error) && wrong !== undefined ? i18n._(wrong) : explainText(error)
}

/** Whether an error is about the proof itself, and belongs below its field. */
export function isAboutUnlockProof(error: unknown): boolean {
  return error instanceof MissingUnlockProof || isWrong(error) || waitUntil(error) !== undefined
}

/** Refused with the same code, but not a wrong proof. */
const CHOSEN: ReadonlySet<unknown> = new Set<OwnRefusalName>([
  'PassphraseTooEasy',
  'PassphraseTooLong',
  'PassphraseTooShort',
])

function isWrong(error: unknown): boolean {
  return field(error, 'code') === 'INVALID_PASSPHRASE' && !CHOSEN.has(field(field(error, 'details'), 'name'))
}

/** When the next try is allowed, in milliseconds since 1970. Undefined if it is allowed now. */
export function waitUntil(error: unknown): number | undefined {
  const at = field(field(error, 'details'), 'retryAt')
  return typeof at === 'number' ? at : undefined
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
