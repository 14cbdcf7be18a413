import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NEVER = 'never'
const CHOICES: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR]

/** How long without use, in words. */
function afterWords(ms: number): string {
  if (ms >= HOUR && ms % HOUR === 0) {
    return plural(ms / HOUR, { one: 'After # hour without use', other: 'After # hours without use' })
  }
  const minutes = Math.round(ms / MINUTE)
  return plural(minutes, { one: 'After # minute without use', other: 'After # minutes without use' })
}

/** When the vault locks by itself, in every tab. */
export function AutoLockCard() {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const why = whyFixed(snapshot)
  const { autoLock } = snapshot
  const change = useAction(async (value: string) => {
    const after = value === NEVER ? null : Number(value)
    await vault.settings.setAutoLock(after)
    announce(t`Saved`, after === null ? t`It stays open until you lock it.` : afterWords(after))
  })
  // What was set elsewhere may be none of the choices.
  const times = autoLock === null || CHOICES.includes(autoLock) ? CHOICES : [...CHOICES, autoLock]
  return (
    <Card
      title={t`Lock automatically`}
      description={t`Using any tab restarts the timer. It keeps running while your device sleeps. You’ll be warned 20 seconds before.`}
    >
      <div className="flex flex-col gap-4">
        <Choice
          label={t`Lock`}
          value={autoLock === null ? NEVER : `${autoLock}`}
          onValueChange={(next) => change.run(next)}
          disabled={change.pending || why !== undefined}
          hint={why}
          options={[
            ...times.toSorted((a, b) => a - b).map((ms) => ({ value: `${ms}`, label: afterWords(ms) })),
            { value: NEVER, label: t`Never`, note: t`Only when you lock it, or close the last tab.` },
          ]}
        />
        <Failure error={change.error} />
      </div>
    </Card>
  )
}
