import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLayoutEffect, useRef } from 'react'
import type { Setup } from '../../../features/account/setup.ts'
import { takeFocus } from '../../../shared/hooks/take-focus.ts'
import { BackupStep } from './backup-step.tsx'
import { CodeStep } from './code-step.tsx'
import { DoneStep } from './done-step.tsx'
import { type SetupScreen, SetupSteps } from './setup-steps.tsx'

/** The steps after a vault is made: its recovery code, its first backup, and what to do with it. */
export function Made({ setup }: { setup: Setup }) {
  const { address, phase } = useVaultSnapshot()
  const isOpen = phase === 'unlocked' && address === setup.address
  const at = isOpen ? screenOf(setup) : 'done'
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen
  useLayoutEffect(() => takeFocus(place.current), [at])
  return (
    <div className="flex flex-col gap-6">
      <SetupSteps at={at} setup={setup} />
      <div ref={place} tabIndex={-1} className="rounded-card outline-none">
        {at === 'code' && setup.recoveryCode !== undefined ? (
          <CodeStep code={setup.recoveryCode} />
        ) : at === 'backup' ? (
          <BackupStep setup={setup} />
        ) : (
          <DoneStep setup={setup} isOpen={isOpen} />
        )}
      </div>
    </div>
  )
}

function screenOf({ code, backup }: Setup): SetupScreen {
  if (code === 'waits') return 'code'
  // Without the code nothing would open the file.
  return code === 'saved' && backup === 'waits' ? 'backup' : 'done'
}
