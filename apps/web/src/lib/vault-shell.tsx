import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AppFrame } from '../components/app-frame.tsx'
import { ToastProvider } from '../components/toast.tsx'
import { TooltipProvider } from '../components/tooltip.tsx'
import { AccountState } from '../features/account/account-state.tsx'
import { Watch } from '../features/account/watch.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { UnlessEnded } from '../features/sessions/unless-ended.tsx'
import { QueryDevtools } from './devtools.tsx'
import { useLanguage } from './language.ts'
import { PagePlace } from './page-place.tsx'
import { createQueryClient } from './query-client.ts'
import { UpdateOffer } from './update-offer.tsx'
import { VaultProvider } from './vault-provider.tsx'

/** The frame with the vault in it: a chunk of its own, so that the first paint does not wait for storage and engine. */
export default function VaultShell({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient)
  const language = useLanguage()
  return (
    <QueryClientProvider client={queries}>
      <VaultProvider>
        <ToastProvider>
          <TooltipProvider>
            {/* Another language draws everything anew; the vault above it stays as it is. */}
            <AppFrame
              key={language}
              account={
                <>
                  <Palette />
                  <AccountState />
                </>
              }
            >
              <UpdateOffer />
              <UnlessEnded>{children}</UnlessEnded>
              <Watch />
            </AppFrame>
          </TooltipProvider>
        </ToastProvider>
      </VaultProvider>
      <PagePlace />
      <QueryDevtools />
    </QueryClientProvider>
  )
}
