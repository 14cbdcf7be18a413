import { useLingui } from '@lingui/react/macro'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { recognise } from '../../shared/words/recognise.ts'

interface DidFieldProps {
  hint?: string
  value: string
  onValueChange: (value: string) => void
  error: string | undefined
}

/** The DID of a contact's key, pasted or scanned. */
export function DidField({ hint, value, onValueChange, error }: DidFieldProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`DID`}
      hint={hint}
      mono
      placeholder="did:key:z6Mk…"
      value={value}
      onValueChange={onValueChange}
      error={error}
      aside={<ScanButton what={t`a DID`} onText={(text) => onValueChange(recognise(text).value)} />}
    />
  )
}
