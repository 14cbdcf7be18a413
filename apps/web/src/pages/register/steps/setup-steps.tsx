import { useLingui } from '@lingui/react/macro'
import type { Setup } from '../../../features/account/setup.ts'
import { type Step, Steps } from './steps.tsx'

/** A screen of making a vault. */
export type SetupScreen = 'name' | 'unlock' | 'code' | 'backup' | 'done'

const ORDER: readonly SetupScreen[] = ['name', 'unlock', 'code', 'backup', 'done']

interface SetupStepsProps {
  at: SetupScreen
  /** Once the vault is made. */
  setup?: Setup
}

/** The four steps of making a vault, and which one this is. */
export function SetupSteps({ at, setup }: SetupStepsProps) {
  const { t } = useLingui()
  const now = ORDER.indexOf(at)
  const state = (screen: SetupScreen, outcome: Setup['code'] = 'saved'): Step['state'] => {
    const place = ORDER.indexOf(screen)
    if (place === now) return 'now'
    if (place > now) return 'ahead'
    return outcome === 'saved' ? 'done' : 'later'
  }
  return (
    <Steps
      steps={[
        { words: t`Name`, state: state('name') },
        { words: t`Unlock`, state: state('unlock') },
        { words: t`Recovery code`, state: state('code', setup?.code) },
        { words: t`Backup`, state: state('backup', setup?.backup) },
      ]}
    />
  )
}
