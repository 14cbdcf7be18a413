import type { KeyInfo } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { Choice } from '../ui/fields/choice.tsx'
import { keyName } from '../words/key-name.ts'

interface SignedWithProps {
  keys: readonly KeyInfo[]
  /** The one that is chosen. */
  chosen: KeyInfo | undefined
  onChoose: (keyId: string) => void
}

/** Which of the account's keys signs; nothing where there is one. */
export function SignedWith({ keys, chosen, onChoose }: SignedWithProps) {
  const { t } = useLingui()
  if (keys.length < 2 || chosen === undefined) return null
  return (
    <Choice
      label={t`Signed with`}
      options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
      value={chosen.key_id}
      onValueChange={onChoose}
    />
  )
}
