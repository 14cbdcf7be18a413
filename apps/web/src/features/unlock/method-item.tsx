import { forgetPasskey, type UnlockMethod } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { ProveDialog } from '../../shared/unlock-proof/prove-dialog.tsx'
import { forgetUnconfirmedCode } from '../../shared/unlock-proof/unconfirmed-code.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { kindName, methodName, whyNotRemoved } from '../../shared/words/unlock-kinds.ts'
import { moment } from '../../shared/words/when.ts'
import { KIND_PARTS } from './kind-parts.tsx'

interface MethodItemProps {
  method: UnlockMethod
  methods: readonly UnlockMethod[]
}

/** One unlock method, with what can be done to it. */
export function MethodItem({ method, methods }: MethodItemProps) {
  const { t } = useLingui()
  const why = whyFixed(useVaultSnapshot())
  const [naming, setNaming] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [held, setHeld] = useState<string>()
  const { Icon } = KIND_PARTS[method.kind]
  const name = methodName(method)
  const since = moment(method.createdAt * 1000)
  const site = method.relyingParty
  const remove = () => {
    const reason = whyNotRemoved(methods, method.id)
    setHeld(reason)
    if (reason === undefined) setRemoving(true)
  }
  return (
    <li className="flex flex-col gap-3 border-line border-t py-4">
      <div className="flex items-start gap-3">
        <Icon className="mt-0.5 size-5 shrink-0 text-ink-soft" aria-hidden />
        <div className="min-w-0">
          <p className="wrap-anywhere font-semibold">{name}</p>
          <p className="text-ink-faint text-sm first-letter:uppercase">
            {[method.label ? kindName(method.kind) : undefined, t`since ${since}`, site]
              .filter((part) => part !== undefined)
              .join(' · ')}
          </p>
        </div>
      </div>
      {held ? (
        <Notice tone="warn" title={t`It stays.`}>
          {held}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button size="small" why={why} onClick={() => setNaming(true)} aria-label={t`Rename ${name}`}>
          <Trans>Rename</Trans>
        </Button>
        <Button size="small" tone="bare" why={why} onClick={remove} aria-label={t`Remove ${name}`}>
          <Trans>Remove</Trans>
        </Button>
      </div>
      <Dialog open={naming} onOpenChange={setNaming} title={t`Rename ${name}`}>
        <NameForm method={method} onDone={() => setNaming(false)} />
      </Dialog>
      <RemoveMethod method={method} open={removing} onOpenChange={setRemoving} />
    </li>
  )
}

function NameForm({ method, onDone }: { method: UnlockMethod; onDone: () => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const [name, setName] = useState(method.label ?? '')
  const rename = useAction(async () => {
    await vault.unlockMethods.label(method.id, name)
    announce(t`Renamed`, name.trim() || kindName(method.kind))
    onDone()
  })
  return (
    <Form onSubmit={rename.run}>
      <TextField
        label={t`Name`}
        hint={t`Where it is: “Laptop”, “Blue security key”. Encrypted with the vault.`}
        maxLength={80}
        value={name}
        onValueChange={setName}
        autoFocus
      />
      <DialogEnd action={rename}>
        <Trans>Save the name</Trans>
      </DialogEnd>
    </Form>
  )
}

interface RemoveMethodProps {
  method: UnlockMethod
  open: boolean
  onOpenChange: (open: boolean) => void
}

function RemoveMethod({ method, open, onOpenChange }: RemoveMethodProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const name = methodName(method)
  return (
    <ProveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t`Remove ${name}?`}
      description={t`It won’t open this vault any more, in any tab or in any copy saved from now on. Older backup files can still be opened with it.`}
      action={t`Remove it`}
      tone="danger"
      perform={async (proof) => {
        await vault.unlockMethods.remove(proof, method.id)
        if (method.kind === 'passkey') void forgetPasskey(method)
        if (method.kind === 'recovery_code' && address !== undefined) forgetUnconfirmedCode(address)
        announce(t`Removed`, t`${name} does not open this vault any more.`)
      }}
    />
  )
}
