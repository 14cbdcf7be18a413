import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { type LimitLink, refusalReasons } from '../grant-words/verdict.ts'
import { exactJson, readJson } from '../policy/json.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { TextArea } from '../ui/fields/text-area.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { commandProblem } from '../words/command.ts'
import { explainText } from '../words/explain-refusal.ts'
import { type ExampleCall, fitting, unfitting } from './examples.ts'
import { useVerdict, type Verdict } from './use-verdict.ts'

interface TryCallProps {
  /** What limits the call, root first. Never empty. */
  links: readonly LimitLink[]
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tries an example call against a policy or a chain of them. The enclave decides as you type, with reasons in words. */
export function TryCall({ links }: TryCallProps) {
  const { t } = useLingui()
  const policy = useMemo(() => links.flatMap((link) => link.policy), [links])
  const granted = links.at(-1)?.command ?? '/'
  const [typed, setTyped] = useState<{ command: string; args: string }>()
  const { command, args } = typed ?? { command: granted, args: exactJson(fitting(policy)) }
  const show = (call: ExampleCall) => setTyped({ command: call.command, args: exactJson(call.args) })

  const read = useMemo(() => readJson(args), [args])
  const wrong = commandProblem(command.trim())
  const map = 'value' in read && isMap(read.value) ? read.value : undefined
  const argsProblem =
    'problem' in read
      ? read.problem
      : map === undefined
        ? t`Arguments are names with values: { … }.`
        : undefined
  const call = useMemo(
    () => (map === undefined || wrong !== undefined ? undefined : { command: command.trim(), args: map }),
    [command, map, wrong],
  )
  const verdict = useVerdict(links, call)

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => show({ command: granted, args: fitting(policy) })}>
          <Trans>Allowed example</Trans>
        </Button>
        <Button size="small" onClick={() => show(unfitting(granted, policy))}>
          <Trans>Refused example</Trans>
        </Button>
      </div>
      <TextField
        label={t`Command of the call`}
        mono
        value={command}
        onValueChange={(next) => setTyped({ command: next, args })}
        error={wrong}
      />
      <TextArea
        label={t`Arguments of the call`}
        mono
        rows={4}
        value={args}
        onValueChange={(next) => setTyped({ command, args: next })}
        error={argsProblem}
      />
      {call === undefined ? null : <VerdictView verdict={verdict} />}
    </div>
  )
}

/** The enclave's verdict on a call, with its reasons in words. Empty until there is one. */
export function VerdictView({ verdict }: { verdict: Verdict | undefined }) {
  const { t } = useLingui()
  if (verdict === undefined) return null
  if ('error' in verdict) return <Notice tone="warn">{explainText(verdict.error)}</Notice>
  const { links, call, result } = verdict
  if (result.allowed) {
    return (
      <Notice tone="good" title={t`Allowed.`}>
        {links.length === 1
          ? t`The command is covered, and every limit is met.`
          : t`Each link covers the next, and every limit of each link is met.`}
      </Notice>
    )
  }
  const reasons = refusalReasons(links, call, result)
  return (
    <Notice tone="warn" title={t`Refused.`}>
      <ul className="mt-1 flex list-inside list-disc flex-col gap-1">
        {reasons.map(({ link, words }, index) => {
          const number = link + 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the reasons keep their order, and two may be the same
            <li key={index}>{links.length === 1 ? words : t`Link ${number}: ${words}`}</li>
          )
        })}
      </ul>
    </Notice>
  )
}
