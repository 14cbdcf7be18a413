import type { KeyInfo } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import { keyName } from '../../../shared/words/key-name.ts'

interface SigningKeyProps {
  keys: readonly KeyInfo[]
  /** Its `key_id`. */
  value: string
  onValueChange: (keyId: string) => void
}

/** Chooses which of the account's keys signs. */
export function SigningKey({ keys, value, onValueChange }: SigningKeyProps) {
  const { t } = useLingui()
  return (
    <Choice
      label={t`Signed with`}
      options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
      value={value}
      onValueChange={onValueChange}
    />
  )
}
