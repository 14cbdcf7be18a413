import { useVault } from '@keyhole/vault-react'
import { Inbox } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DropZone } from '../../components/drop-zone.tsx'
import { Notice } from '../../components/notice.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { TextField } from '../../components/text-field.tsx'
import { announce } from '../../components/toast.tsx'
import { tooLong } from '../../components/too-long.ts'
import { useTextDraft } from '../common/drafts.ts'
import { readTextFile } from '../common/read-file.ts'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useAction } from '../common/use-action.ts'
import { storedCapability } from '../grants/capability.ts'
import { delegationSentence } from '../words/delegation.ts'
import { explainText } from '../words/refusal.ts'

/** Takes in a token that someone gave: pasted or dropped, verified first, stored only when it holds. */
export function ReceiveForm() {
  const vault = useVault()
  const acquaintance = useAcquaintance()
  const [text, setText] = useTextDraft('receive')
  const [label, setLabel] = useTextDraft('receive-label')
  const [problem, setProblem] = useState<string>()
  const [kept, setKept] = useState<string>()

  const receive = useAction(async () => {
    const trimmed = text.trim()
    if (trimmed === '') {
      setProblem('Paste the token that you were given.')
      return
    }
    if (tooLong(trimmed)) return
    const name = label.trim()
    const stored = await vault.receive(trimmed, name === '' ? {} : { label: name })
    setKept(delegationSentence(storedCapability(stored), acquaintance))
    announce('Token verified and stored')
    setText('')
    setLabel('')
  })
  const change = (next: string) => {
    setProblem(undefined)
    setKept(undefined)
    receive.clear()
    setText(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    receive.run()
  }
  const refused = receive.error === undefined ? undefined : explainText(receive.error)
  return (
    <Card title="Take in a token" description="It is verified, with its whole chain, before it is stored.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Token"
          mono
          rows={4}
          placeholder="Paste it here, in any encoding"
          value={text}
          onValueChange={change}
          onCommit={() => receive.run()}
          error={problem ?? refused}
        />
        <DropZone
          label="… or drop a file with it here"
          onFile={(file) => {
            readTextFile(file).then((read) => {
              if ('problem' in read) setProblem(read.problem)
              else change(read.text)
            })
          }}
        />
        <TextField
          label="A name for it"
          placeholder="Shared calendar"
          maxLength={120}
          value={label}
          onValueChange={setLabel}
        />
        {kept ? (
          <Notice tone="good" title="Verified and stored.">
            {kept}
          </Notice>
        ) : null}
        <Button
          tone="primary"
          type="submit"
          busy={receive.pending}
          icon={<Inbox className="size-4" aria-hidden />}
          className="self-start"
        >
          Verify and keep
        </Button>
      </form>
    </Card>
  )
}
