import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { backupWritten, forgetCode, markBackup, type Setup } from '../../../features/account/setup.ts'
import { SaveAgain } from '../../../features/backup/save-again.tsx'
import { useBackupHealth } from '../../../features/backup/use-backup-health.ts'
import { downloadFile } from '../../../shared/browser/download.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Result } from '../../../shared/ui/feedback/result.tsx'
import { Slow } from '../../../shared/ui/feedback/slow.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../../shared/ui/layout/form.tsx'
import { hasRecentProof, recentProof } from '../../../shared/unlock-proof/recent-proof.ts'
import { UnlockProofFields } from '../../../shared/unlock-proof/unlock-proof-fields.tsx'
import { useProven } from '../../../shared/unlock-proof/use-proven.ts'
import { useUnlockProof } from '../../../shared/unlock-proof/use-unlock-proof.ts'
import { Waiting } from '../../../shared/unlock-proof/waiting.tsx'
import { STRONG } from '../../../shared/words/unlock-kinds.ts'
import { CheckLink } from './check-link.tsx'
import { CheckSaved } from './check-saved.tsx'
import { SkipStep } from './skip-step.tsx'

/** The first backup of a new vault: one press, and the recovery code opens the file. */
export function BackupStep({ setup }: { setup: Setup }) {
  const { t } = useLingui()
  const { health } = useBackupHealth()
  const [isOpened, setOpened] = useState(false)
  const { file: saved, recoveryCode } = setup
  const isChecked = isOpened || health?.verifiedAt !== undefined
  return (
    <Card
      title={saved === undefined ? t`Create a backup file` : t`Check your backup file`}
      description={
        saved === undefined
          ? t`Your keys are only in this browser. The file brings everything back on any device. Your recovery code opens it.`
          : t`Check that it opens before you rely on it.`
      }
    >
      {saved === undefined ? (
        <div className="flex flex-col gap-6">
          <SaveFile />
          <SkipStep onSkip={() => markBackup('later')}>
            <Trans>If you skip this and this browser’s data is cleared, your vault is gone.</Trans>
          </SkipStep>
        </div>
      ) : (
        <Result>
          <Notice title={t`Look for the backup file in your downloads.`}>
            <Trans>
              <span className="break-all">{saved.filename}</span>. Move it off this device: to a USB stick,
              another computer or cloud storage.
            </Trans>
          </Notice>
          {isChecked ? (
            <>
              <Notice tone="good" title={t`The file opens, and nothing is missing.`} />
              <Button tone="primary" className="self-start" onClick={() => markBackup('checked')}>
                <Trans>Continue</Trans>
              </Button>
            </>
          ) : (
            <>
              {recoveryCode === undefined ? null : (
                <CheckSaved
                  recoveryCode={recoveryCode}
                  onOpened={() => {
                    setOpened(true)
                    forgetCode()
                  }}
                />
              )}
              <div className="flex flex-wrap gap-2">
                {recoveryCode === undefined ? <CheckLink /> : null}
                <SaveAgain {...saved} />
                <Button onClick={() => markBackup('saved')}>
                  <Trans>Continue without checking</Trans>
                </Button>
              </div>
            </>
          )}
        </Result>
      )}
    </Card>
  )
}

function SaveFile() {
  const { t } = useLingui()
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const { readAgain } = useBackupHealth()
  const asked = useUnlockProof(STRONG)
  const isKnown = hasRecentProof(address)
  const proof = { ...asked, take: async () => (await recentProof(address)) ?? (await asked.take()) }
  const save = useProven(proof, async (given) => {
    const written = await vault.exportVault({ proof: given })
    downloadFile(written.filename, written.file)
    readAgain()
    backupWritten(written)
  })
  return (
    <Form onSubmit={save.run}>
      {isKnown ? null : (
        <UnlockProofFields proof={asked} disabled={save.pending} error={save.problem} onChange={save.clear} />
      )}
      <Waiting seconds={save.wait} />
      <FormEnd
        action={{ pending: save.pending, error: save.failure }}
        disabled={save.wait > 0}
        icon={<Download className="size-4" aria-hidden />}
        progress={
          save.pending ? (
            <Slow>
              <Progress label={t`Writing your vault to an encrypted file…`} value={null} />
            </Slow>
          ) : null
        }
      >
        <Trans>Create backup file</Trans>
      </FormEnd>
    </Form>
  )
}
