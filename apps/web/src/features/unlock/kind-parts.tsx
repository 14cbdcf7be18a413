import type { UnlockMethod } from '@keyhole/vault'
import { Fingerprint, KeyRound, LifeBuoy, type LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { PassphraseCard } from './passphrase-card.tsx'
import { RecoveryCodeCard } from './recovery-code-card.tsx'

/** What a kind of unlock method looks like. */
interface KindParts {
  readonly Icon: LucideIcon
  /** How it is set up or replaced; none: in the list of methods, where there may be several. */
  readonly Card?: ComponentType
  /** Beside the list, where it is a form; else below it. */
  readonly beside?: boolean
}

/** Of each kind. */
export const KIND_PARTS: Readonly<Record<UnlockMethod['kind'], KindParts>> = {
  passphrase: { Icon: KeyRound, Card: PassphraseCard, beside: true },
  passkey: { Icon: Fingerprint },
  recovery_code: { Icon: LifeBuoy, Card: RecoveryCodeCard },
}
