import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { exactJson } from '../../../shared/policy/json.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../../shared/ui/feedback/slow.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import type { Sandbox } from '../engine/sandbox.ts'
import { Caller } from './caller.tsx'
import type { PluginFunction } from './function.ts'
import { FunctionPicker } from './function-picker.tsx'
import { functionNamed } from './index.ts'

interface FunctionPanelProps {
  sandbox: Sandbox
  name: string | undefined
  onNameChange: (name: PluginFunction['name']) => void
}

/** One function of the plugin: its input, its answer, how long it took, and code that does the same. */
export function FunctionPanel({ sandbox, name, onNameChange }: FunctionPanelProps) {
  const { t, i18n } = useLingui()
  const chosen = functionNamed(name)
  return (
    <Card
      title={t`Call a function`}
      description={t`These are all the enclave’s functions. Change the input and try to break it.`}
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <FunctionPicker chosen={chosen} onChoose={onNameChange} />
        <div className="flex min-w-0 flex-col gap-4">
          <div>
            <h3 className="flex flex-wrap items-center gap-2 font-semibold">
              <code className="break-all">{chosen.name}</code>
              {chosen.keyless ? (
                <Badge>
                  <Trans>needs no key</Trans>
                </Badge>
              ) : null}
            </h3>
            <p className="mt-1 text-ink-soft text-sm">{i18n._(chosen.note)}</p>
          </div>
          <Prepared key={chosen.name} sandbox={sandbox} chosen={chosen} />
        </div>
      </div>
    </Card>
  )
}

/** Prepares the initial input, which may need other calls. Offers to open the vault if it was locked or closed. */
function Prepared({ sandbox, chosen }: { sandbox: Sandbox; chosen: PluginFunction }) {
  const { t } = useLingui()
  const [input, setInput] = useState<string>()
  const [shut, setShut] = useState(false)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is another try
  useEffect(() => {
    let current = true
    setShut(false)
    Promise.resolve(chosen.input(sandbox))
      .then((value) => current && setInput(exactJson(value)))
      .catch(() => current && setShut(true))
    return () => {
      current = false
    }
  }, [sandbox, chosen, round])
  const open = useAction(async () => {
    await sandbox.ready()
    setRound(round + 1)
  })
  if (input !== undefined) return <Caller sandbox={sandbox} name={chosen.name} begin={input} />
  if (!shut) {
    return (
      <Slow>
        <Progress label={t`Preparing an input…`} value={null} />
      </Slow>
    )
  }
  return (
    <Notice
      tone="warn"
      title={t`The vault of this demo is locked or closed.`}
      actions={
        <Button size="small" onClick={() => open.run()} busy={open.pending}>
          <Trans>Open it again</Trans>
        </Button>
      }
    >
      {open.error ? (
        <Trans>It did not open: it is another one by now. Start over with a new vault.</Trans>
      ) : (
        <Trans>A call did that. This function needs it open.</Trans>
      )}
    </Notice>
  )
}
