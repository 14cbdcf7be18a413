import { useVaultSnapshot } from '@keyhole/vault-react'
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Facts } from '../../components/facts.tsx'
import { Gate } from '../account/gate.tsx'
import { keyName } from '../keys/key-name.ts'
import { exactJson } from '../policy/json.ts'
import { didDocument } from './did-document.ts'

/** Who the account is to others: its DID, its address, its DID document. */
export function OverviewTab() {
  const { label, address, issuerDid, chainId, keys, phase, defaultKey } = useVaultSnapshot()
  const [chosen, setChosen] = useState<string>()
  const key = keys.find((each) => each.key_id === (chosen ?? defaultKey)) ?? keys[0]
  return (
    <Gate need="account" purpose="have an identity">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card
          title={label ?? 'This account'}
          description="Give your DID to whoever is to grant you something. None of this is secret."
        >
          <Facts
            facts={[
              ['State', phase === 'unlocked' ? 'unlocked, in every tab' : 'locked'],
              issuerDid === undefined
                ? undefined
                : ['DID', <DidText key="did" text={issuerDid} what="your DID" />],
              address === undefined
                ? undefined
                : ['Address', <DidText key="address" text={address} what="your address" />],
              ['Network', chainId],
              ['Keys', `${keys.length}`],
            ]}
          />
        </Card>
        {key ? (
          <Card title="DID document" description="Worked out from the DID itself: nobody has to host it.">
            <div className="flex flex-col gap-4">
              {keys.length > 1 ? (
                <Choice
                  label="Of which key"
                  options={keys.map((each) => ({ value: each.key_id, label: keyName(each) }))}
                  value={key.key_id}
                  onValueChange={setChosen}
                />
              ) : null}
              <CodeBlock label="DID document" text={exactJson(didDocument(key.did))} tall />
            </div>
          </Card>
        ) : null}
      </div>
    </Gate>
  )
}
