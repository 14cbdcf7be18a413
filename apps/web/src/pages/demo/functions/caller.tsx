import { type EnclaveExport, isRefusal } from '@keyhole/enclave'
import { Trans, useLingui } from '@lingui/react/macro'
import { Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { exactJson, readJson } from '../../../shared/policy/json.ts'
import { tooLong } from '../../../shared/text/too-long.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Form } from '../../../shared/ui/layout/form.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import { Kbd } from '../../../shared/ui/text/kbd.tsx'
import { milliseconds } from '../engine/milliseconds.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import { snippet } from './snippet.ts'

interface CallerProps {
  sandbox: Sandbox
  name: EnclaveExport
  /** The initial input. */
  begin: string
}

interface Answer {
  text: string
  refused: boolean
  ms: number
  meaning: Meaning | undefined
}

/** An input, a button that sends it, and the answer. */
export function Caller({ sandbox, name, begin }: CallerProps) {
  const { t } = useLingui()
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
    const output = await sandbox.call(name, read.value)
    const ms = performance.now() - start
    const meaning = await meaningOf(sandbox, name, output)
    setAnswer({ text: exactJson(output), refused: isRefusal(output), ms, meaning })
  })
  const code = useMemo(() => {
    const read = readJson(input)
    return 'problem' in read ? undefined : snippet(name, read.value)
  }, [name, input])
  return (
    <>
      <Form onSubmit={call.run} className="grid items-start gap-5 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <TextArea
            label={t`In`}
            mono
            rows={10}
            value={input}
            onValueChange={(next) => {
              setProblem(undefined)
              setInput(next)
            }}
            onCommit={() => call.run()}
            error={problem}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              tone="primary"
              type="submit"
              busy={call.pending}
              icon={<Play className="size-4" aria-hidden />}
            >
              <Trans>Call</Trans>
            </Button>
            {input === begin ? null : (
              <Button tone="bare" onClick={() => setInput(begin)}>
                <Trans>Put the input back</Trans>
              </Button>
            )}
            <span className="ml-auto hidden text-ink-faint text-xs sm:inline" aria-hidden>
              <Kbd keys="mod+enter" />
            </span>
          </div>
          <Failure error={call.error} />
        </div>
        <Output answer={answer} owner={sandbox.owner.did} helper={sandbox.helper.did} />
      </Form>
      {code === undefined ? null : (
        <details className="group border-line border-y">
          <summary className="min-h-11 cursor-pointer px-4 py-2.5 font-medium text-sm">
            <Trans>The same in your own code</Trans>
          </summary>
          <div className="flex flex-col gap-3 border-line border-t p-4">
            <p className="text-ink-soft text-sm">
              <Trans>
                With <code>npm install @keyhole/enclave</code>, in Node as shown. In a browser the bundler
                also adds the worker scripts.
              </Trans>
            </p>
            <CodeBlock label={t`code`} text={code} tall />
          </div>
        </details>
      )}
    </>
  )
}

interface OutputProps {
  answer: Answer | undefined
  /** DIDs of the demo's keys: sentences say "you" and "Helper". */
  owner: string
  helper: string
}

function Output({ answer, owner, helper }: OutputProps) {
  const { t } = useLingui()
  const named = { id: 'helper', name: t`Helper`, kind: 'app', isAlike: false }
  const time = answer ? milliseconds(answer.ms) : ''
  return (
    <div className="flex min-w-0 flex-col gap-3" aria-live="polite">
      <div className="flex min-h-6 flex-wrap items-center gap-2">
        <p className="font-medium text-sm">
          <Trans>Out</Trans>
        </p>
        {answer ? (
          <>
            <Badge tone={answer.refused ? 'bad' : 'good'}>{answer.refused ? t`refused` : t`answered`}</Badge>
            <span className="text-ink-faint text-sm">
              <Trans>{time} ms round trip</Trans>
            </span>
          </>
        ) : null}
      </div>
      {answer?.meaning ? (
        <Notice tone={answer.meaning.good ? 'good' : 'warn'}>
          {answer.meaning.text}
          {answer.meaning.capability ? (
            <SentenceView
              capability={answer.meaning.capability}
              contacts={{ own: new Set([owner]), named: new Map([[helper, named]]), isSealed: false }}
            />
          ) : null}
        </Notice>
      ) : null}
      {answer ? (
        <CodeBlock label={t`output`} text={answer.text} tall />
      ) : (
        <p className="rounded-control border border-line border-dashed p-4 text-ink-faint text-sm">
          <Trans>No call yet.</Trans>
        </p>
      )}
    </div>
  )
}
