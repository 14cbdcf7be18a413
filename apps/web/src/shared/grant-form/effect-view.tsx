import { useLingui } from '@lingui/react/macro'
import { policyEffect } from '../grant-words/effect.ts'
import { LimitList } from '../grant-words/limit-list.tsx'
import type { LimitLink } from '../grant-words/verdict.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { Facts } from '../ui/layout/facts.tsx'

/** What a command and its limits come to: what is allowed, what is not, and what is left open. */
export function EffectView({ links }: { links: readonly LimitLink[] }) {
  const { t } = useLingui()
  const effect = policyEffect(
    links.at(-1)?.command ?? '/',
    links.flatMap((link) => link.policy),
  )
  return (
    <div className="flex flex-col gap-3">
      <Facts
        facts={[
          [t`Allowed`, effect.allowed],
          effect.conditions.length === 0
            ? undefined
            : [t`If`, <LimitList key="conditions" limits={effect.conditions} />],
          [t`Not allowed`, effect.refused],
          effect.open.length === 0
            ? undefined
            : [
                t`Not limited`,
                <div key="open" className="flex flex-col gap-1">
                  {effect.open.map((each) => (
                    <p key={each}>{each}</p>
                  ))}
                </div>,
              ],
        ]}
      />
      {effect.notes.map((note) => (
        <p key={note} className="text-sm">
          {note}
        </p>
      ))}
      {effect.warning === undefined ? null : <Notice tone="warn">{effect.warning}</Notice>}
    </div>
  )
}
