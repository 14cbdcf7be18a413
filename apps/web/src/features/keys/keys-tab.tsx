import { useTokens, useVaultSnapshot } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { Gate } from '../account/gate.tsx'
import { GenerateKey } from './generate-key.tsx'
import { KeyItem } from './key-item.tsx'
import { SignPanel } from './sign-panel.tsx'
import { VerifyPanel } from './verify-panel.tsx'

/** The account's keys, and what they do at first hand: sign, and check signatures. */
export function KeysTab() {
  const { keys, phase } = useVaultSnapshot()
  const { tokens } = useTokens()
  return (
    <Gate need="account" purpose="have keys">
      <div className="flex flex-col gap-6">
        <Card
          title="Keys"
          description="Private halves never leave the enclave in the clear. The first key gives the account its address."
          actions={<GenerateKey />}
        >
          <ul className="flex flex-col gap-3">
            {keys.map((key) => (
              <KeyItem
                key={key.key_id}
                info={key}
                unlocked={phase === 'unlocked'}
                dependent={tokens.filter(
                  (token) => token.issuer === key.did || token.audienceDid === key.did,
                )}
              />
            ))}
          </ul>
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Gate need="unlocked" purpose="sign something">
            <SignPanel />
          </Gate>
          <VerifyPanel />
        </div>
      </div>
    </Gate>
  )
}
