import type { ReactNode } from 'react'
import { AppFrame } from '../components/app-frame.tsx'
import { AccountState } from '../features/account/account-state.tsx'
import { Watch } from '../features/account/watch.tsx'
import { UpdateOffer } from './update-offer.tsx'
import { VaultProvider } from './vault-provider.tsx'

/** The frame with the vault in it: a chunk of its own, so that the first paint does not wait for storage and engine. */
export default function VaultShell({ children }: { children: ReactNode }) {
  return (
    <VaultProvider>
      <AppFrame account={<AccountState />}>
        <UpdateOffer />
        {children}
        <Watch />
      </AppFrame>
    </VaultProvider>
  )
}
