import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Card } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { announce } from '../../components/toast.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'

const MINUTE = 60_000
const NEVER = 'never'

const CHOICES: readonly (readonly [ms: number, words: string])[] = [
  [MINUTE, '1 minute'],
  [5 * MINUTE, '5 minutes'],
  [15 * MINUTE, '15 minutes'],
  [30 * MINUTE, '30 minutes'],
  [60 * MINUTE, '1 hour'],
  [4 * 60 * MINUTE, '4 hours'],
]

/** When the vault locks by itself, in every tab. */
export function AutoLockCard() {
  const vault = useVault()
  const { autoLock } = useVaultSnapshot()
  const change = useAction(async (value: string) => {
    await vault.setAutoLock(value === NEVER ? null : Number(value))
    announce('Saved', value === NEVER ? 'It stays open until you lock it.' : undefined)
  })
  const value = autoLock === null ? NEVER : `${autoLock}`
  const known = CHOICES.map(([ms, words]) => ({ value: `${ms}`, label: `After ${words} without use` }))
  const own =
    value === NEVER || known.some((choice) => choice.value === value)
      ? []
      : [{ value, label: `After ${Math.round(Number(value) / MINUTE)} minutes without use` }]
  return (
    <Card
      title="Lock by itself"
      description="Counted over all tabs, and across the sleep of the machine. You are warned 20 seconds before."
    >
      <div className="flex flex-col gap-4">
        <Choice
          label="Lock"
          value={value}
          onValueChange={(next) => change.run(next)}
          disabled={change.pending}
          options={[
            ...known,
            ...own,
            { value: NEVER, label: 'Never', note: 'Only by hand, and when the last tab closes.' },
          ]}
        />
        <Failure error={change.error} />
      </div>
    </Card>
  )
}
