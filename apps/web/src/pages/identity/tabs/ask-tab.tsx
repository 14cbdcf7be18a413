import { cleanContactName } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Gate } from '../../../features/account/gate.tsx'
import { answerLink } from '../../../shared/contacts/did-answer.ts'
import { TextField } from '../../../shared/ui/fields/text-field.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { KeyChoice } from '../../../shared/vault/key-choice.tsx'
import { signingKey } from '../../../shared/vault/signing-key.ts'
import { useIsNew } from '../../../shared/vault/use-is-new.ts'
import { comparedEnd } from '../../../shared/words/who.ts'

/** Answers someone who asked for a DID: a link with it, to be sent back. */
export function AskTab() {
  const { t } = useLingui()
  const isNew = useIsNew()
  return (
    <div className="flex flex-col gap-4">
      {isNew ? (
        <p>
          <Trans>Create a vault first. Then open this link again.</Trans>
        </p>
      ) : null}
      <Gate need="account" purpose={t`receive grants`}>
        <Answer />
      </Gate>
    </div>
  )
}

function Answer() {
  const { t } = useLingui()
  const { keys, defaultKey, issuerDid = '' } = useVaultSnapshot()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const key = signingKey({ keys, defaultKey }, chosen)
  const did = key?.did ?? issuerDid
  const end = comparedEnd(did)
  return (
    <Card title={t`Your answer`} description={t`Send this link back to the person who asked you.`}>
      <div className="flex flex-col gap-5">
        <TextField
          label={t`Your name`}
          hint={t`Optional. It helps them recognise you, but proves nothing.`}
          autoComplete="name"
          value={name}
          onValueChange={setName}
        />
        <KeyChoice label={t`Which key`} keys={keys} chosen={key} onChoose={setChosen} />
        <div className="flex flex-col gap-2">
          <DidText text={did} what={t`your DID`} />
          <p className="text-ink-soft text-sm">
            <Trans>
              If they ask: your DID ends in <code>{end}</code>.
            </Trans>
          </p>
        </div>
        <HandOver
          text={answerLink({ did, name: cleanContactName(name) })}
          label={t`answer`}
          what={t`the answer`}
        />
        <p className="text-ink-soft text-sm">
          <Trans>
            The link contains your DID, and your name if you enter one, after the #. Neither is sent to a
            server.
          </Trans>
        </p>
      </div>
    </Card>
  )
}
