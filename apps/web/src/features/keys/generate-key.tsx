import type { KeyInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { keyName, keyTypes } from '../../shared/words/key-name.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

/** A button and a dialog that create a key of one of three types. */
export function GenerateKey() {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const why = snapshot.phase === 'unlocked' ? whyFixed(snapshot) : t`Unlock to create a key`
  const [open, setOpen] = useState(false)
  const [keyType, setKeyType] = useState<KeyInfo['key_type']>('ed25519')
  const [label, setLabel] = useState('')
  const generate = useAction(async () => {
    const wanted = label.trim()
    const key = await vault.generateKey({ keyType, ...(wanted !== '' && { label: wanted }) })
    const name = keyName(key, vault.getSnapshot().keys)
    announce(t`Key created`, t`${name} is encrypted and stored.`)
    setOpen(false)
    setLabel('')
  })
  return (
    <>
      <Button
        size="small"
        why={why}
        onClick={() => setOpen(true)}
        icon={<Plus className="size-4" aria-hidden />}
      >
        <Trans>New key</Trans>
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => {
          generate.clear()
          setOpen(next)
        }}
        title={t`New key`}
        description={t`Use a separate key to keep some grants apart from the rest.`}
      >
        <Form onSubmit={generate.run}>
          <Choice
            label={t`Type`}
            hint={t`Keep this unless a service asks for another.`}
            options={keyTypes()}
            value={keyType}
            onValueChange={setKeyType}
          />
          <TextField
            label={t`Name`}
            placeholder={t`Work`}
            maxLength={80}
            value={label}
            onValueChange={setLabel}
          />
          <DialogEnd action={generate}>
            <Trans>Create key</Trans>
          </DialogEnd>
        </Form>
      </Dialog>
    </>
  )
}
