import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Inbox } from 'lucide-react'
import { useMemo, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { NameIt } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useTextDraft } from '../../shared/hooks/drafts.ts'
import { useRequestedForm } from '../../shared/hooks/requested-forms.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { tooLong } from '../../shared/text/too-long.ts'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useRevoked } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { FileDrop } from '../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { explainText } from '../../shared/words/explain-refusal.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

interface ReceiveFormProps {
  /** Starts using a token that was just added. */
  onUse: (cid: string) => void
}

/** Adds a token that someone gave you: pasted, dropped or scanned. It is verified first and stored only if it is valid. */
export function ReceiveForm({ onUse }: ReceiveFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const contacts = useContacts()
  const why = whyFixed(useVaultSnapshot())
  const [text, setText] = useTextDraft('receive')
  const [label, setLabel] = useTextDraft('receive-label')
  const [problem, setProblem] = useState<string>()
  const [added, setAdded] = useState<StoredToken>()
  const beginning = useRequestedForm<HTMLTextAreaElement>('receive')

  const receive = useAction(async () => {
    const trimmed = text.trim()
    if (trimmed === '') {
      setProblem(t`Paste the token that you were given.`)
      return
    }
    if (tooLong(trimmed)) return
    const name = label.trim()
    const stored = await vault.tokens.receive(trimmed, name === '' ? {} : { label: name })
    setAdded(stored)
    if (stored.type === 'received') announce(t`Token checked and stored`)
    setText('')
    setLabel('')
  })
  const change = (next: string) => {
    setProblem(undefined)
    setAdded(undefined)
    receive.clear()
    setText(next)
  }
  const refused = receive.error === undefined ? undefined : explainText(receive.error)
  const mine = added !== undefined && contacts.own.has(added.audienceDid)
  const isNew = added?.type === 'received'
  const cids = useMemo(() => (added === undefined ? [] : [added.cid]), [added])
  const isRevoked = useRevoked(cids).length > 0
  return (
    <Card
      title={t`Add a token`}
      description={t`Keyhole checks it and its whole chain before storing it.`}
      actions={<ScanButton what={t`a token`} onText={change} />}
    >
      <Form onSubmit={receive.run}>
        <TextArea
          ref={beginning}
          label={t`Token`}
          mono
          rows={4}
          placeholder={t`Paste the token`}
          value={text}
          onValueChange={change}
          onCommit={why === undefined ? receive.run : undefined}
          error={problem ?? refused}
        />
        <FileDrop onText={change} onProblem={setProblem} />
        <TextField
          label={t`Your name for it`}
          placeholder={t`Shared calendar`}
          maxLength={120}
          value={label}
          onValueChange={setLabel}
        />
        {added ? (
          <Notice
            tone={isRevoked ? 'warn' : 'good'}
            title={
              isRevoked
                ? t`It was revoked. Services that know this refuse it.`
                : isNew
                  ? t`Checked and stored.`
                  : t`You already have it: your vault created it.`
            }
            actions={
              mine && !isRevoked ? (
                <Button size="small" onClick={() => onUse(added.cid)}>
                  <Trans>Use it now</Trans>
                </Button>
              ) : null
            }
          >
            <StoredSentence stored={added} contacts={contacts} />
            <NameIt did={added.issuer} />
            {mine || !isNew ? null : (
              <p>
                <Trans>
                  It is made out to someone else’s key: you can save it and check it, but not use it.
                </Trans>
              </p>
            )}
          </Notice>
        ) : null}
        <FormEnd
          // What was refused is said at the field.
          action={{ pending: receive.pending }}
          why={why}
          icon={<Inbox className="size-4" aria-hidden />}
        >
          <Trans>Check and add</Trans>
        </FormEnd>
      </Form>
    </Card>
  )
}
