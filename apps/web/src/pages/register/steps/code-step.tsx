import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { codeSaved, skipCode } from '../../../features/account/setup.ts'
import { ConfirmRecoveryCode } from '../../../features/unlock/confirm-recovery-code.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { SkipStep } from './skip-step.tsx'

/** The recovery code of a new vault, until it is saved or skipped. */
export function CodeStep({ code }: { code: string }) {
  const { t } = useLingui()
  const vault = useVault()
  return (
    <Card
      title={t`Save your recovery code`}
      description={t`It opens your vault and backups if you lose your devices and passphrase.`}
    >
      <div className="flex flex-col gap-6">
        <ConfirmRecoveryCode code={code} onConfirmed={() => codeSaved(vault)} />
        <SkipStep onSkip={() => skipCode(true)}>
          <Trans>
            If you skip this and lose your device, no one can open this vault again. The backup waits too:
            this code opens it.
          </Trans>
        </SkipStep>
      </div>
    </Card>
  )
}
