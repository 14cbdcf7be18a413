import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import type { Sandbox } from '../engine/sandbox.ts'
import { type Attack, judgeAnswer } from './attack.ts'
import { AttackItem, type Result } from './attack-item.tsx'
import { ATTACK_GROUPS } from './index.ts'

const ALL = ATTACK_GROUPS.flatMap(({ attacks }) => attacks)

async function attempt(attack: Attack, sandbox: Sandbox): Promise<Result> {
  await sandbox.ready()
  const start = performance.now()
  const answer = await attack.run(sandbox)
  return { ...judgeAnswer(answer), ms: performance.now() - start }
}

/** Attacks to try, one at a time or all, each with what refused it and why. */
export function AttackList({ sandbox }: { sandbox: Sandbox }) {
  const { t, i18n } = useLingui()
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({})
  const note = (id: string, result: Result) => setResults((before) => ({ ...before, [id]: result }))
  const all = useAction(async () => {
    setResults({})
    for (const attack of ALL) note(attack.id, await attempt(attack, sandbox))
  })
  const [tried, total] = [Object.keys(results).length, ALL.length]
  const refused = Object.values(results).filter((result) => result.refused).length
  return (
    <Card
      title={t`Attacks to try`}
      description={t`Each is really carried out, against the same code that protects your keys.`}
      actions={
        <Button size="small" tone="primary" onClick={() => all.run()} busy={all.pending}>
          <Trans>Try them all</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <p role="status" className="text-ink-soft text-sm empty:hidden">
          {tried > 0 ? (
            <Trans>
              {tried} of {total} tried, {refused} refused.
            </Trans>
          ) : null}
        </p>
        {all.error ? (
          <Notice tone="warn" title={t`The demo has lost its vault.`}>
            <Trans>A call has changed it. Start over with a new one.</Trans>
          </Notice>
        ) : null}
        {ATTACK_GROUPS.map((group) => (
          <section key={group.id} aria-labelledby={`attacks-${group.id}`}>
            <h3 id={`attacks-${group.id}`} className="mb-3 font-semibold">
              {i18n._(group.name)}
            </h3>
            <ul className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
              {group.attacks.map((attack) => (
                <AttackItem
                  key={attack.id}
                  attack={attack}
                  result={results[attack.id]}
                  attempt={async () => note(attack.id, await attempt(attack, sandbox))}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  )
}
