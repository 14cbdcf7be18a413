import { useVaultSnapshot } from '@keyhole/vault-react'
import type { ReactNode } from 'react'
import { WindowFrame } from '../../components/window-frame.tsx'
import { AtHand } from '../account/at-hand.tsx'
import { UnlessEnded } from './unless-ended.tsx'

/** The windows that other sites call up: what they hold a window of, or wait for, is one page alone. */
export function CalledUp({ children }: { children: ReactNode }) {
  const { phase } = useVaultSnapshot()
  return (
    <WindowFrame account={phase === 'locked' || phase === 'unlocked' ? <AtHand /> : null}>
      <UnlessEnded>{children}</UnlessEnded>
    </WindowFrame>
  )
}
