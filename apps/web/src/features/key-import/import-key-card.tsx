import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { ForeignKeyFields } from './foreign-key-fields.tsx'
import { useForeignKey } from './use-foreign-key.ts'

/** Imports a key from elsewhere into the open account. */
export function ImportKeyCard() {
  const { t } = useLingui()
  const [done, setDone] = useState<{ round: number; did?: string }>({ round: 0 })
  return (
    <Card
      title={t`Import a key`}
      description={t`Adds it to this vault’s keys. The original stays where it was: delete it there if no one else should have it.`}
    >
      <div className="flex flex-col gap-4">
        <Fields key={done.round} onDone={(did) => setDone({ round: done.round + 1, did })} />
        {done.did ? (
          <Notice tone="good" title={t`The key is in this vault.`}>
            <span className="break-all">{done.did}</span>
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}

function Fields({ onDone }: { onDone: (did: string) => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { keys } = snapshot
  const foreign = useForeignKey()
  const [name, setName] = useState('')
  const known = keys.some(({ did }) => did === foreign.preview?.did)
  const bring = useAction(async () => {
    const label = name.trim()
    const { did } = await vault.keys.import(foreign.key(), label === '' ? undefined : label)
    announce(t`Key imported`)
    onDone(did)
  })
  const submit = () => {
    if (foreign.preview) bring.run()
    else foreign.look()
  }
  return (
    <Form onSubmit={submit}>
      <ForeignKeyFields foreign={foreign} disabled={bring.pending} />
      {known ? (
        <Notice tone="warn">
          <Trans>This vault has this key already.</Trans>
        </Notice>
      ) : null}
      {foreign.preview && !known ? (
        <>
          <TextField
            label={t`Name of the key`}
            placeholder={t`Old wallet`}
            maxLength={80}
            value={name}
            onValueChange={setName}
          />
          <FormEnd action={bring} why={whyFixed(snapshot)} icon={<KeyRound className="size-4" aria-hidden />}>
            <Trans>Import this key</Trans>
          </FormEnd>
        </>
      ) : null}
    </Form>
  )
}
