import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { Gate } from '../../../features/account/gate.tsx'
import { GenerateKey } from '../../../features/keys/generate-key.tsx'
import { KeyItem } from '../../../features/keys/key-item.tsx'
import { SignPanel } from '../../../features/keys/sign-panel.tsx'
import { VerifyPanel } from '../../../features/keys/verify-panel.tsx'
import { Term } from '../../../shared/glossary/term.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'

/** The account's keys, and what they do at first hand: sign, and check signatures. */
export function KeysTab() {
  const { t } = useLingui()
  const { keys, phase } = useVaultSnapshot()
  const list = useRef<HTMLUListElement>(null)
  return (
    <Gate need="account" purpose={t`see your keys`}>
      <div className="flex flex-col gap-6">
        <Card
          title={t`Your keys`}
          description={
            <>
              <Trans>
                Private keys never leave your vault unencrypted. The first key gives the account its address.
              </Trans>{' '}
              <Term of="key">
                <Trans>What’s a key?</Trans>
              </Term>
            </>
          }
          actions={<GenerateKey />}
        >
          <ul ref={list} tabIndex={-1} aria-label={t`Keys`} className="flex flex-col outline-none">
            {keys.map((key) => (
              <KeyItem
                key={key.key_id}
                info={key}
                unlocked={phase === 'unlocked'}
                onDeleted={() => list.current?.focus()}
              />
            ))}
          </ul>
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Gate need="unlocked" purpose={t`sign something`}>
            <SignPanel />
          </Gate>
          <VerifyPanel />
        </div>
      </div>
    </Gate>
  )
}
