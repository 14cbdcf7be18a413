import type { KeyInfo, StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DidText } from '../../components/did-text.tsx'
import { TextField } from '../../components/text-field.tsx'
import { announce } from '../../components/toast.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { explainText } from '../words/refusal.ts'
import { moment } from '../words/when.ts'
import { keyName, keyTypeName } from './key-name.ts'

interface KeyItemProps {
  info: KeyInfo
  unlocked: boolean
  /** Stored tokens that this key signed, or that were given to it. */
  dependent: readonly StoredToken[]
}

/** One key: its name, its DID, and what can be done with it. */
export function KeyItem({ info, unlocked, dependent }: KeyItemProps) {
  const vault = useVault()
  const [renaming, setRenaming] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const makeDefault = useAction(async () => {
    await vault.setDefaultKey(info.key_id)
    announce('Default key changed', `${keyName(info)} signs from now on.`)
  })
  return (
    <li className="flex flex-col gap-3 rounded-control border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-2">
        {renaming ? (
          <Rename info={info} onDone={() => setRenaming(false)} />
        ) : (
          <>
            <span className="min-w-0 wrap-anywhere font-semibold">{keyName(info)}</span>
            <Badge>{keyTypeName(info.key_type)}</Badge>
            {info.is_default ? <Badge tone="brass">default</Badge> : null}
            {info.is_first ? <Badge>first key</Badge> : null}
            {unlocked ? (
              <Button
                tone="bare"
                size="small"
                className="px-2"
                aria-label={`Rename ${keyName(info)}`}
                onClick={() => setRenaming(true)}
                icon={<Pencil className="size-4" aria-hidden />}
              />
            ) : null}
          </>
        )}
      </div>
      <DidText text={info.did} what="this key’s DID" />
      <Failure error={makeDefault.error} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-faint text-sm">Made {moment(info.created_at * 1000)}</p>
        {unlocked ? (
          <div className="flex flex-wrap gap-2">
            {info.is_default ? null : (
              <Button size="small" onClick={() => makeDefault.run()} busy={makeDefault.pending}>
                Make it the default
              </Button>
            )}
            {info.is_first ? null : (
              <Button size="small" tone="bare" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
          </div>
        ) : null}
      </div>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${keyName(info)}?`}
        phrase={info.did.slice(-6)}
        action="Delete the key"
        explain={explainText}
        onConfirm={async () => {
          const name = keyName(info)
          await vault.deleteKey(info.key_id)
          announce('Key deleted', `${name} is gone from this account.`)
        }}
      >
        <p>It cannot be made again. Only a backup that holds it could bring it back.</p>
        <Dependents info={info} dependent={dependent} />
      </ConfirmDialog>
    </li>
  )
}

function Dependents({ info, dependent }: { info: KeyInfo; dependent: readonly StoredToken[] }) {
  const signed = dependent.filter((token) => token.issuer === info.did).length
  const held = dependent.length - signed
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
  return (
    <ul className="list-inside list-disc">
      <li>
        {signed === 0
          ? 'No stored grant was signed with it.'
          : `${count(signed, 'stored grant was', 'stored grants were')} signed with it. They stay valid until they end.`}
      </li>
      <li>
        {held === 0
          ? 'No stored token was given to it.'
          : `${count(held, 'stored token was', 'stored tokens were')} given to it. You will not be able to use or pass them on.`}
      </li>
    </ul>
  )
}

function Rename({ info, onDone }: { info: KeyInfo; onDone: () => void }) {
  const vault = useVault()
  const [label, setLabel] = useState(info.label ?? '')
  const rename = useAction(async () => {
    await vault.labelKey(info.key_id, label.trim())
    announce('Key renamed')
    onDone()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.run()
  }
  return (
    <form onSubmit={submit} className="flex w-full flex-wrap items-end gap-2">
      <TextField
        label="Name of the key"
        value={label}
        onValueChange={setLabel}
        maxLength={80}
        autoFocus
        className="flex-1 basis-48"
      />
      <Button type="submit" tone="primary" busy={rename.pending}>
        Save
      </Button>
      <Button tone="bare" onClick={onDone}>
        Cancel
      </Button>
      <Failure error={rename.error} />
    </form>
  )
}
