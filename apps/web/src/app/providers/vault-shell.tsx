import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { useLanguage } from '../../shared/language/use-language.ts'
import { ToastProvider } from '../../shared/ui/feedback/toast.tsx'
import { TooltipProvider } from '../../shared/ui/feedback/tooltip.tsx'
import { QueryDevtools } from './devtools.tsx'
import { createQueryClient } from './query-client.ts'
import { VaultProvider } from './vault-provider.tsx'
import { Watch } from './watch.tsx'

/** The vault around the frame, in its own chunk, so the first paint doesn't wait for storage and engine. */
export default function VaultShell({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient)
  const language = useLanguage()
  return (
    <QueryClientProvider client={queries}>
      <VaultProvider>
        <ToastProvider>
          <TooltipProvider>
            {/* Another language redraws everything inside the vault; the vault stays. */}
            <Fragment key={language}>
              {children}
              <Watch />
            </Fragment>
          </TooltipProvider>
        </ToastProvider>
      </VaultProvider>
      <QueryDevtools />
    </QueryClientProvider>
  )
}
