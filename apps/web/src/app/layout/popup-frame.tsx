import { useVaultSnapshot } from '@keyhole/vault-react'
import type { ReactNode } from 'react'
import { CurrentAccount } from '../../features/account/current-account.tsx'
import { UnlessEnded } from '../../features/sessions/unless-ended.tsx'
import { WindowFrame } from '../../shared/ui/layout/window-frame.tsx'

/** The frame of windows that other sites open or wait for: a single page, and nothing that leads away from it. */
export function PopupFrame({ children }: { children: ReactNode }) {
  const { phase } = useVaultSnapshot()
  return (
    <WindowFrame account={phase === 'locked' || phase === 'unlocked' ? <CurrentAccount /> : null}>
      <UnlessEnded>{children}</UnlessEnded>
    </WindowFrame>
  )
}
