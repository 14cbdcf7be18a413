import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { explain, sentence, tokenRefusal } from '../words/refusal.ts'
import { ATTACKS, type Attack, type Outcome } from './attacks.ts'
import type { Sandbox } from './sandbox.ts'
import { TIME } from './time.ts'

/** Attacks to try, one by one, each with what refused it. */
export function AttackList({ sandbox }: { sandbox: Sandbox }) {
  return (
    <Card
      title="Attacks to try"
      description="Each is really carried out, against the same enclave that keeps your own keys."
    >
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {ATTACKS.map((attack) => (
          <AttackItem key={attack.id} attack={attack} sandbox={sandbox} />
        ))}
      </ul>
    </Card>
  )
}

function AttackItem({ attack, sandbox }: { attack: Attack; sandbox: Sandbox }) {
  const [outcome, setOutcome] = useState<Outcome & { ms: number }>()
  const attempt = useAction(async () => {
    const start = performance.now()
    const came = await attack.run(sandbox)
    setOutcome({ ...came, ms: performance.now() - start })
  })
  return (
    <li className="flex flex-col gap-3 rounded-control border border-line bg-raised p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold">{attack.name}</h3>
          <p className="text-ink-soft text-sm">{attack.note}</p>
        </div>
        <Button
          size="small"
          onClick={() => attempt.run()}
          busy={attempt.pending}
          aria-label={`Try: ${attack.name}`}
        >
          Try it
        </Button>
      </div>
      <Failure error={attempt.error} />
      {outcome ? (
        <Notice
          tone={outcome.refused ? 'good' : 'bad'}
          title={
            outcome.refused
              ? `Refused: ${tokenRefusal(outcome.by)?.title ?? explain({ code: outcome.by }).title}`
              : 'It got through.'
          }
        >
          {sentence(outcome.text)} ({TIME.format(outcome.ms)} ms)
        </Notice>
      ) : null}
    </li>
  )
}
