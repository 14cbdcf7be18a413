import type { KeyInfo } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'

/** A field for a key's new name. */
export function RenameKey({ info, onDone }: { info: KeyInfo; onDone: () => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const [label, setLabel] = useState(info.label ?? '')
  const rename = useAction(async () => {
    await vault.keys.label(info.key_id, label.trim())
    announce(t`Key renamed`)
    onDone()
  })
  return (
    <Form
      onSubmit={rename.run}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      className="flex w-full flex-wrap items-end gap-2"
    >
      <TextField
        label={t`Name of the key`}
        value={label}
        onValueChange={setLabel}
        maxLength={80}
        autoFocus
        className="flex-1 basis-48"
      />
      <Button type="submit" tone="primary" busy={rename.pending}>
        <Trans>Save</Trans>
      </Button>
      <Button tone="bare" onClick={onDone}>
        <Trans>Cancel</Trans>
      </Button>
      <Failure error={rename.error} />
    </Form>
  )
}
