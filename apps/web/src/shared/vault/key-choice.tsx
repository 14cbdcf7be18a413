import type { KeyInfo } from '@keyhole/vault'
import { Choice } from '../ui/fields/choice.tsx'
import { keyName } from '../words/key-name.ts'

interface KeyChoiceProps {
  /** What the key is chosen for. */
  label: string
  keys: readonly KeyInfo[]
  chosen: KeyInfo | undefined
  onChoose: (keyId: string) => void
}

/** Which of the account's keys; nothing where there is one. */
export function KeyChoice({ label, keys, chosen, onChoose }: KeyChoiceProps) {
  if (keys.length < 2 || chosen === undefined) return null
  return (
    <Choice
      label={label}
      options={keys.map((each) => ({ value: each.key_id, label: keyName(each, keys) }))}
      value={chosen.key_id}
      onValueChange={onChoose}
    />
  )
}
