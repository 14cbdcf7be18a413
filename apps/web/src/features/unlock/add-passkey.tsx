import { createPasskey, forgetPasskey, type UnlockMethod, type UnlockProof, VaultError } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { UNLOCKING } from '../../shared/words/unlock-kinds.ts'

/** Whether a failure proves that the account doesn't have the passkey. Where the relay's answer was lost, it may have it. */
const wasNotAdded = (error: unknown) => error instanceof VaultError && error.details?.name !== 'ChangeUnsure'

interface AddPasskeyProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The account's methods: an authenticator that has one of these is not taken twice. */
  known: readonly UnlockMethod[]
}

/** Makes another passkey and lets it open the vault, after a proof. */
export function AddPasskey({ open, onOpenChange, known }: AddPasskeyProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { label: account } = useVaultSnapshot()
  const [name, setName] = useState('')

  const add = async (proof: UnlockProof) => {
    const label = name.trim()
    try {
      const passkey = await createPasskey({ name: account ?? 'Keyhole', exclude: known })
      try {
        await vault.unlockMethods.addPasskey(proof, { ...passkey, ...(label !== '' && { label }) })
      } catch (error) {
        if (wasNotAdded(error)) await forgetPasskey(passkey)
        throw error
      } finally {
        passkey.prf.fill(0)
      }
    } finally {
      // Where no new passkey came of it, the vault has not had the proof, and has not overwritten it.
      if ('passkey' in proof) proof.passkey.prf.fill(0)
    }
    setName('')
    announce(t`Passkey added`, t`You can now unlock this vault with it.`)
  }
  return (
    <ProveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t`Add a passkey`}
      description={t`First confirm it’s you. Then create the passkey on this device, a phone or a security key.`}
      action={t`Add the passkey`}
      allowed={UNLOCKING}
      perform={add}
    >
      <TextField
        label={t`Name of the passkey`}
        hint={t`Say where it is, so you can tell your passkeys apart.`}
        placeholder={t`Laptop`}
        maxLength={80}
        value={name}
        onValueChange={setName}
        autoFocus
      />
    </ProveDialog>
  )
}
