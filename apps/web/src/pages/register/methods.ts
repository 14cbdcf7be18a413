import { t } from '@lingui/core/macro'

/** How a new vault opens. */
export type Opening = 'passphrase' | 'passkey' | 'both'

const OPENINGS: readonly Opening[] = ['passphrase', 'passkey', 'both']

/** Tells a kept choice from anything else. */
export function isOpening(value: unknown): value is Opening {
  return OPENINGS.some((each) => each === value)
}

/** The ways a new vault can open, in words. */
export function openings(): { value: Opening; label: string; note: string }[] {
  return [
    { value: 'passphrase', label: t`Passphrase`, note: t`Words that you know. Works on any device.` },
    {
      value: 'passkey',
      label: t`Passkey`,
      note: t`A finger, a face or a security key. Nothing to type.`,
    },
    { value: 'both', label: t`Both`, note: t`Either one opens it.` },
  ]
}
