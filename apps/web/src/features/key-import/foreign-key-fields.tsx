import type { KeyType } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { DropZone } from '../../shared/ui/fields/drop-zone.tsx'
import { PassphraseField } from '../../shared/ui/fields/passphrase-field.tsx'
import { SecretArea } from '../../shared/ui/fields/secret-area.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { UsernameHint } from '../../shared/ui/fields/username-hint.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { keyTypeName } from '../../shared/words/key-name.ts'
import type { ForeignKeyInHand } from './use-foreign-key.ts'

/** The key types that a phrase can produce. */
const PHRASE_TYPES: readonly { value: KeyType; label: string; note: string }[] = [
  { value: 'ed25519', label: 'Ed25519', note: 'SLIP-0010' },
  { value: 'secp256k1', label: 'secp256k1', note: 'BIP-32' },
]

/** Takes a key from elsewhere and shows what it is before anything is saved. */
export function ForeignKeyFields({ foreign, disabled }: { foreign: ForeignKeyInHand; disabled: boolean }) {
  const { t } = useLingui()
  const { preview, isPhrase } = foreign
  return (
    <div className="flex flex-col gap-4">
      <SecretArea
        label={t`Key or phrase`}
        hint={t`PKCS#8 (PEM, base64 or hex), a JWK, or the 12 to 24 words of a BIP-39 phrase.`}
        inputRef={foreign.textRef}
        onChange={foreign.changed}
        disabled={disabled}
      />
      <DropZone label={t`Or drop its file here: .pem, .der, .jwk`} onFile={foreign.fromFile} />
      {isPhrase ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice
            label={t`Key type`}
            hint={t`The kind of key to derive from the words.`}
            value={foreign.keyType}
            onValueChange={foreign.setKeyType}
            options={PHRASE_TYPES}
            disabled={disabled}
          />
          <TextField
            label={t`Path`}
            hint={t`Leave empty for the usual one.`}
            value={foreign.path}
            onValueChange={foreign.setPath}
            mono
            disabled={disabled}
          />
          <UsernameHint name={undefined} />
          <PassphraseField
            className="sm:col-span-2"
            label={t`Passphrase for the phrase`}
            hint={t`Only if you set one, the “25th word”. A wrong one gives a different key, without an error.`}
            inputRef={foreign.wordRef}
            autoComplete="current-password"
            disabled={disabled}
            onValueChange={() => foreign.setPath(foreign.path)}
          />
        </div>
      ) : null}
      <Failure error={foreign.error} />
      {preview ? (
        <div role="status" className="rounded-control bg-sunken p-4">
          <p className="mb-3 font-semibold text-sm">
            <Trans>Is this the right key?</Trans>
          </p>
          <Facts
            facts={[
              [t`Type`, keyTypeName(preview.keyType)],
              [t`DID`, <DidText key="did" text={preview.did} what={t`its DID`} />],
              preview.path === undefined ? undefined : [t`Path`, <code key="path">{preview.path}</code>],
              [t`Address`, <DidText key="address" text={preview.address} what={t`its address`} />],
            ]}
          />
        </div>
      ) : (
        <Button
          className="self-start"
          onClick={foreign.look}
          busy={foreign.looking}
          disabled={disabled}
          icon={<Search className="size-4" aria-hidden />}
        >
          <Trans>Check this key</Trans>
        </Button>
      )}
    </div>
  )
}
