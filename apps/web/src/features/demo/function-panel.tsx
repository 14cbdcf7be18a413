import { isRefusal } from '@keyhole/enclave'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { tooLong } from '../../components/too-long.ts'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { exactJson, readJson } from '../policy/json.ts'
import { FUNCTIONS, type FunctionName } from './functions.ts'
import type { Sandbox } from './sandbox.ts'
import { TIME } from './time.ts'

interface FunctionPanelProps {
  sandbox: Sandbox
  name: FunctionName
  onNameChange: (name: FunctionName) => void
}

interface Answer {
  text: string
  refused: boolean
  ms: number
}

/** One function of the plugin: what goes in, what comes out, how long it took. */
export function FunctionPanel({ sandbox, name, onNameChange }: FunctionPanelProps) {
  const chosen = FUNCTIONS.find((each) => each.name === name) ?? FUNCTIONS[0]
  return (
    <Card
      title="Call a function"
      description="The input is yours to change: try to get something out of it that you should not."
    >
      <div className="flex flex-col gap-5">
        <Choice
          label="Function"
          hint={chosen.note}
          options={FUNCTIONS.map((each) => ({ value: each.name, label: each.name, note: each.note }))}
          value={chosen.name}
          onValueChange={onNameChange}
        />
        <Caller
          key={chosen.name}
          sandbox={sandbox}
          name={chosen.name}
          begin={exactJson(chosen.input(sandbox))}
        />
      </div>
    </Card>
  )
}

function Caller({ sandbox, name, begin }: { sandbox: Sandbox; name: FunctionName; begin: string }) {
  const [input, setInput] = useState(begin)
  const [problem, setProblem] = useState<string>()
  const [answer, setAnswer] = useState<Answer>()
  const call = useAction(async () => {
    if (tooLong(input)) return
    const read = readJson(input)
    if ('problem' in read) {
      setProblem(read.problem)
      return
    }
    const start = performance.now()
    const output = await sandbox.vault.client.enclave.call(name, read.value)
    setAnswer({ text: exactJson(output), refused: isRefusal(output), ms: performance.now() - start })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    call.run()
  }
  return (
    <form onSubmit={submit} className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <TextArea
          label="In"
          mono
          rows={12}
          value={input}
          onValueChange={(next) => {
            setProblem(undefined)
            setInput(next)
          }}
          onCommit={() => call.run()}
          error={problem}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            tone="primary"
            type="submit"
            busy={call.pending}
            icon={<Play className="size-4" aria-hidden />}
          >
            Call it
          </Button>
          {input === begin ? null : (
            <Button tone="bare" onClick={() => setInput(begin)}>
              Put the input back
            </Button>
          )}
        </div>
        <Failure error={call.error} />
      </div>
      <div className="flex min-w-0 flex-col gap-3" aria-live="polite">
        <div className="flex min-h-6 items-center gap-2">
          <p className="font-medium text-sm">Out</p>
          {answer ? (
            <>
              <Badge tone={answer.refused ? 'bad' : 'good'}>{answer.refused ? 'refused' : 'answered'}</Badge>
              <span className="text-ink-faint text-sm">in {TIME.format(answer.ms)} ms, there and back</span>
            </>
          ) : null}
        </div>
        {answer ? (
          <CodeBlock label="output" text={answer.text} tall wrap />
        ) : (
          <p className="rounded-control border border-line border-dashed p-4 text-ink-faint text-sm">
            Nothing was called yet.
          </p>
        )}
      </div>
    </form>
  )
}
