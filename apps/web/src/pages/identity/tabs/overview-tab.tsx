import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { didDocument } from '../../../features/keys/did-document.ts'
import { Term } from '../../../shared/glossary/term.tsx'
import { exactJson } from '../../../shared/policy/json.ts'
import { CopyButton } from '../../../shared/ui/buttons/copy-button.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { QrButton } from '../../../shared/ui/sharing/qr-button.tsx'
import { ShareButton } from '../../../shared/ui/sharing/share-button.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { Identicon } from '../../../shared/ui/text/identicon.tsx'
import { KeyChoice } from '../../../shared/vault/key-choice.tsx'
import { hasSharedEnclave } from '../../../shared/vault/shared-enclave.ts'
import { signingKey } from '../../../shared/vault/signing-key.ts'

/** Who the account is to others: its DID, its address, its DID document. */
export function OverviewTab() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Who />
      <Document />
    </div>
  )
}

function Who() {
  const { t } = useLingui()
  const { label, address = '', issuerDid = '', chainId, keys, phase, tabs } = useVaultSnapshot()
  const others = tabs.length - 1
  const unlocked = () => {
    if (others === 0) return t`unlocked`
    return hasSharedEnclave() ? t`unlocked, here and in every other tab` : t`unlocked in this tab`
  }
  return (
    <Card
      title={
        <span className="flex items-center gap-3">
          <Identicon text={issuerDid} className="size-10 shrink-0 rounded-lg" />
          <span className="min-w-0 wrap-anywhere">{label ?? t`This account`}</span>
        </span>
      }
      description={
        <>
          <Trans>Give your DID to people who want to give you a grant. None of this is secret.</Trans>{' '}
          <Term of="did">
            <Trans>What’s a DID?</Trans>
          </Term>{' '}
          <Term of="account">
            <Trans>What’s an account?</Trans>
          </Term>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Facts
          facts={[
            [t`Status`, phase === 'unlocked' ? unlocked() : t`locked`],
            [t`DID`, <DidText key="did" text={issuerDid} what={t`your DID`} />],
            [t`Address`, <DidText key="address" text={address} what={t`your address`} />],
            [t`Network`, chainId],
            [t`Keys`, `${keys.length}`],
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <CopyButton text={issuerDid} what={t`your DID`} label={t`Copy your DID`} />
          <QrButton text={issuerDid} what={t`your DID`} label={t`QR code`} />
          <ShareButton title={t`My DID`} text={issuerDid} />
        </div>
        <p className="text-ink-soft text-sm">
          <Trans>
            The picture is drawn from the DID, so a different DID looks different. Before you trust one,
            compare both ends of its text too.
          </Trans>
        </p>
      </div>
    </Card>
  )
}

function Document() {
  const { t } = useLingui()
  const { keys, defaultKey } = useVaultSnapshot()
  const [chosen, setChosen] = useState<string>()
  const key = signingKey({ keys, defaultKey }, chosen)
  if (!key) return null
  return (
    <Card title={t`DID document`} description={t`Derived from the DID itself. No one has to host it.`}>
      <div className="flex flex-col gap-4">
        <KeyChoice label={t`Of which key`} keys={keys} chosen={key} onChoose={setChosen} />
        <CodeBlock label={t`DID document`} text={exactJson(didDocument(key.did))} tall />
      </div>
    </Card>
  )
}
