import type { KeyInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { keyName, keyTypeName } from '../../shared/words/key-name.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { moment } from '../../shared/words/when.ts'
import { DeleteKey } from './delete-key.tsx'
import { RenameKey } from './rename-key.tsx'

interface KeyItemProps {
  info: KeyInfo
  unlocked: boolean
  /** The key is gone: the focus must move elsewhere. */
  onDeleted: () => void
}

/** One key: its name, its DID, and what you can do with it. */
export function KeyItem({ info, unlocked, onDeleted }: KeyItemProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const why = whyFixed(snapshot)
  const [renaming, setRenaming] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  const name = keyName(info, snapshot.keys)
  const makeDefault = useAction(async () => {
    await vault.keys.setDefault(info.key_id)
    announce(t`Default key changed`, t`${name} signs from now on.`)
    item.current?.focus()
  })
  const made = moment(info.created_at * 1000)
  return (
    <li ref={item} tabIndex={-1} className="flex flex-col gap-3 border-line border-t py-4">
      <div className="flex flex-wrap items-center gap-2">
        {renaming ? (
          <RenameKey
            info={info}
            onDone={() => {
              setRenaming(false)
              item.current?.focus()
            }}
          />
        ) : (
          <>
            <span className="flex min-w-0 items-center gap-1">
              <span className="min-w-0 wrap-anywhere font-semibold">{name}</span>
              {unlocked ? (
                <Button
                  tone="bare"
                  size="small"
                  className="px-2 pointer-coarse:min-w-11"
                  aria-label={t`Rename ${name}`}
                  why={why}
                  onClick={() => setRenaming(true)}
                  icon={<Pencil className="size-4" aria-hidden />}
                />
              ) : null}
            </span>
            <Badge>{keyTypeName(info.key_type)}</Badge>
            {info.is_default ? (
              <Badge tone="good">
                <Trans context="key">default</Trans>
              </Badge>
            ) : null}
            {info.is_first ? (
              <Badge>
                <Trans>first key</Trans>
              </Badge>
            ) : null}
          </>
        )}
      </div>
      <DidText text={info.did} what={t`this key’s DID`} />
      <Failure error={makeDefault.error} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-faint text-sm">
          <Trans>Created {made}</Trans>
        </p>
        {unlocked ? (
          <div className="flex flex-wrap gap-2">
            {info.is_default ? null : (
              <Button size="small" why={why} onClick={() => makeDefault.run()} busy={makeDefault.pending}>
                <Trans>Make it the default</Trans>
              </Button>
            )}
            {info.is_first ? null : (
              <Button size="small" tone="bare" why={why} onClick={() => setDeleting(true)}>
                <Trans>Delete</Trans>
              </Button>
            )}
          </div>
        ) : null}
      </div>
      <DeleteKey info={info} open={deleting} onOpenChange={setDeleting} onDeleted={onDeleted} />
    </li>
  )
}
