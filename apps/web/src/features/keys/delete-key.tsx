import type { KeyInfo } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { announce } from '../../shared/browser/announce.ts'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { AndMore } from '../../shared/ui/text/and-more.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { explainText } from '../../shared/words/explain-refusal.ts'
import { keyName } from '../../shared/words/key-name.ts'
import { dependentsOf, type KeyDependents } from './dependents.ts'

/** How many dependent grants are named. */
const NAMED = 4

interface DeleteKeyProps {
  info: KeyInfo
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}

/** Deletes a key after showing what depends on it and asking for a typed confirmation. */
export function DeleteKey({ info, open, onOpenChange, onDeleted }: DeleteKeyProps) {
  const { t } = useLingui()
  const vault = useVault()
  const name = keyName(info, useVaultSnapshot().keys)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t`Delete ${name}?`}
      phrase={info.did.slice(-6)}
      phraseHint={t`The last 6 characters of its DID.`}
      action={t`Delete the key`}
      explain={explainText}
      onConfirm={async () => {
        await vault.deleteKey(info.key_id)
        announce(t`Key deleted`, t`${name} is gone from this vault.`)
        onDeleted()
      }}
    >
      <p>
        <Trans>It can’t be created again. Only a backup that has it could bring it back.</Trans>
      </p>
      <Dependents did={info.did} />
    </ConfirmDialog>
  )
}

function Dependents({ did }: { did: string }) {
  const { t } = useLingui()
  const { found, error } = useVaultCheck(['dependents', did], async (vault) =>
    dependentsOf(did, await vault.tokens.list()),
  )
  if (error !== undefined) return <Failure error={error} />
  if (!found) return <Progress label={t`Looking for what depends on it…`} value={null} />
  const { signed, held } = found
  return (
    <ul className="list-outside list-disc pl-5">
      <li>
        {signed.length === 0 ? (
          <Trans>No stored grant was signed with it.</Trans>
        ) : (
          <Plural
            value={signed.length}
            one="# saved grant was signed with it. It stays valid until it expires, and you can’t revoke it any more:"
            other="# saved grants were signed with it. They stay valid until they expire, and you can’t revoke them any more:"
          />
        )}
        <Named tokens={signed} />
      </li>
      <li>
        {held.length === 0 ? (
          <Trans>No stored token was given to it.</Trans>
        ) : (
          <Plural
            value={held.length}
            one="# saved token was given to it. You won’t be able to use it or pass it on:"
            other="# saved tokens were given to it. You won’t be able to use them or pass them on:"
          />
        )}
        <Named tokens={held} />
      </li>
    </ul>
  )
}

function Named({ tokens }: { tokens: KeyDependents['signed'] }) {
  const contacts = useContacts()
  if (tokens.length === 0) return null
  return (
    <ul className="my-1 list-outside list-disc pl-5 text-sm">
      {tokens.slice(0, NAMED).map((token) => (
        <li key={token.id} className="wrap-anywhere">
          {token.label ? <strong className="font-semibold">{token.label}: </strong> : null}
          <StoredSentence stored={token} contacts={contacts} />
        </li>
      ))}
      <AndMore count={tokens.length - NAMED} />
    </ul>
  )
}
