import { useVaultSnapshot } from '@keyhole/vault-react'
import type { ReactNode } from 'react'
import { CurrentAccount } from '../../features/account/current-account.tsx'
import { UnlessEnded } from '../../features/sessions/unless-ended.tsx'
import { WindowFrame } from '../../shared/ui/layout/window-frame.tsx'

/** The windows that other sites call up: what they hold a window of, or wait for, is one page alone. */
export function CalledUp({ children }: { children: ReactNode }) {
  const { phase } = useVaultSnapshot()
  return (
    <WindowFrame account={phase === 'locked' || phase === 'unlocked' ? <CurrentAccount /> : null}>
      <UnlessEnded>{children}</UnlessEnded>
    </WindowFrame>
  )
}
