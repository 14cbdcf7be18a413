import { useRef, useState } from 'react'
import { CheckBox } from '../src/shared/ui/fields/check-box.tsx'
import { Choice } from '../src/shared/ui/fields/choice.tsx'
import { DropZone } from '../src/shared/ui/fields/drop-zone.tsx'
import { FileDrop } from '../src/shared/ui/fields/file-drop.tsx'
import { PassphraseField } from '../src/shared/ui/fields/passphrase-field.tsx'
import { RadioCards } from '../src/shared/ui/fields/radio-cards.tsx'
import { SecretArea } from '../src/shared/ui/fields/secret-area.tsx'
import { Segments } from '../src/shared/ui/fields/segments.tsx'
import { TextArea } from '../src/shared/ui/fields/text-area.tsx'
import { TextField } from '../src/shared/ui/fields/text-field.tsx'
import { UsernameHint } from '../src/shared/ui/fields/username-hint.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { Tabs } from '../src/shared/ui/layout/tabs.tsx'
import { ScanButton } from '../src/shared/ui/sharing/scan-button.tsx'

const OPTIONS = [
  { value: 'one', label: 'One', note: 'The first of them' },
  { value: 'two', label: 'Two', note: 'The second of them' },
  { value: 'three', label: 'Three', note: 'The third of them' },
] as const
type Option = (typeof OPTIONS)[number]['value']

/** Form fields. */
export function Inputs() {
  const [text, setText] = useState('')
  const [option, setOption] = useState<Option>('one')
  const [checked, setChecked] = useState(true)
  const [file, setFile] = useState<string>()
  const passphrase = useRef<HTMLInputElement>(null)
  const wrong = useRef<HTMLInputElement>(null)
  const secret = useRef<HTMLTextAreaElement>(null)
  const field = { value: text, onValueChange: setText }
  return (
    <Card title="Inputs" description="At rest, with a hint, with an error, disabled.">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="A line" {...field} />
        <TextField
          label="A line with a hint"
          hint="What to type."
          placeholder="did:key:z6Mk…"
          mono
          {...field}
        />
        <TextField label="A line with an error" error="What is wrong, and what to do." {...field} />
        <TextField label="A line that is disabled" disabled {...field} />
        <TextArea label="Several lines" {...field} />
        <TextArea
          label="Several lines with an error"
          error="What is wrong, and what to do."
          mono
          {...field}
        />
        <PassphraseField label="A passphrase" inputRef={passphrase} autoComplete="off" />
        <SecretArea label="A secret of several lines" inputRef={secret} />
        <Choice label="One of a few" value={option} onValueChange={setOption} options={OPTIONS} />
        <Choice
          label="One of a few, disabled"
          value={option}
          onValueChange={setOption}
          options={OPTIONS}
          disabled
        />
        <RadioCards
          label="One of a few, explained"
          value={option}
          onValueChange={setOption}
          options={OPTIONS}
        />
        <div className="flex flex-col gap-4">
          <CheckBox
            label="To have or not"
            hint="What it means."
            checked={checked}
            onCheckedChange={setChecked}
          />
          <CheckBox label="Disabled" checked={checked} onCheckedChange={setChecked} disabled />
        </div>
        <Segments label="One of two or three" value={option} onValueChange={setOption} options={OPTIONS} />
        <DropZone label="Drop a file here" chosen={file} onFile={({ name }) => setFile(name)} />
        <FileDrop onText={setText} onProblem={setText} />
        <form>
          <UsernameHint name="Personal" />
          <PassphraseField
            label="A passphrase that was wrong"
            inputRef={wrong}
            autoComplete="off"
            error="What is wrong, and what to do."
          />
        </form>
        <div>
          <ScanButton what="a DID" onText={setText} />
        </div>
        <Tabs
          label="Tabs"
          value={option}
          onValueChange={setOption}
          tabs={OPTIONS.map(({ value, label, note }) => ({ value, label, panel: () => note }))}
        />
      </div>
    </Card>
  )
}
