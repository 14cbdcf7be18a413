import { useLingui } from '@lingui/react/macro'
import type { Setup } from '../../../features/account/setup.ts'
import { type Step, Steps } from './steps.tsx'

/** A screen of making a vault. */
export type SetupScreen = 'name' | 'unlock' | 'code' | 'backup' | 'done'

const ORDER: readonly SetupScreen[] = ['name', 'unlock', 'code', 'backup', 'done']

/** What the step of the backup shows of it. */
const BACKUP = { waits: 'later', later: 'later', saved: 'unchecked', checked: 'done' } as const

interface SetupStepsProps {
  at: SetupScreen
  /** Once the vault is made. */
  setup?: Setup
}

/** The four steps of making a vault, and which one this is. */
export function SetupSteps({ at, setup }: SetupStepsProps) {
  const { t } = useLingui()
  const now = ORDER.indexOf(at)
  const state = (screen: SetupScreen, outcome: Step['state'] = 'done'): Step['state'] => {
    const place = ORDER.indexOf(screen)
    if (place === now) return 'now'
    return place > now ? 'ahead' : outcome
  }
  const { code, backup } = setup ?? {}
  return (
    <Steps
      steps={[
        { words: t`Name`, state: state('name') },
        { words: t`Unlock`, state: state('unlock') },
        { words: t`Recovery code`, state: state('code', code === 'saved' ? 'done' : 'later') },
        { words: t`Backup`, state: state('backup', BACKUP[backup ?? 'later']) },
      ]}
    />
  )
}
