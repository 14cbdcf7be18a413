import type { VerifiedBackup } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { plural, t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useCallback, useState } from 'react'
import { BackupOpener, useBackupInHand } from '../../shared/backup-file/backup-opener.tsx'
import { useWork } from '../../shared/backup-file/use-work.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { moment } from '../../shared/words/when.ts'
import { shorten } from '../../shared/words/who.ts'
import { useBackupHealth } from './use-backup-health.ts'

/** Opens a backup file and compares it with the vault; writes nothing. What it finds ends the reminders. */
export function VerifyForm() {
  const [round, setRound] = useState(0)
  const [found, setFound] = useState<VerifiedBackup>()
  return (
    <div className="flex flex-col gap-4">
      <Fields
        key={round}
        onFound={(next) => {
          setFound(next)
          if (next) setRound(round + 1)
        }}
      />
      {found ? (
        <Result key={`result ${round}`}>
          <Found check={found} />
        </Result>
      ) : null}
    </div>
  )
}

function Fields({ onFound }: { onFound: (check: VerifiedBackup | undefined) => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const { readAgain } = useBackupHealth()
  const work = useWork()
  const verify = useAction(async () => {
    const taken = backup.take()
    if (!taken) return
    onFound(undefined)
    const check = await vault.backups.verify({ ...taken, ...work.begin() })
    readAgain()
    onFound(check)
  })
  const changed = useCallback(() => verify.clear(), [verify.clear])
  const backup = useBackupInHand(changed)
  return (
    <Form onSubmit={verify.run}>
      <BackupOpener backup={backup} disabled={verify.pending} onChange={changed} />
      <FormEnd
        action={verify}
        tone="quiet"
        icon={<ShieldCheck className="size-4" aria-hidden />}
        progress={
          verify.pending ? (
            <Slow>
              <Progress
                label={work.words || t`Opening the file and comparing it with this vault…`}
                value={work.percent}
              />
            </Slow>
          ) : null
        }
        onStop={work.stop}
      >
        <Trans>Check the file</Trans>
      </FormEnd>
    </Form>
  )
}

function Found({ check }: { check: VerifiedBackup }) {
  const { t } = useLingui()
  const { keys, tokens } = check.missing
  return (
    <>
      {keys > 0 || tokens > 0 ? (
        <Notice tone="warn" title={t`The file opens, but it’s older than this vault.`}>
          {lacks(keys, tokens)} <Trans>Create a new one.</Trans>
        </Notice>
      ) : (
        <Notice tone="good" title={t`The file opens, and everything in this vault is in it.`} />
      )}
      <Facts
        facts={[
          [
            t`Account`,
            <span key="address" title={check.address}>
              {shorten(check.address, 10, 8)}
            </span>,
          ],
          [t`Created`, moment(check.createdAt * 1000)],
          [t`Keys`, `${check.keys}`],
          [t`Tokens`, `${check.tokens}`],
        ]}
      />
    </>
  )
}

/** What a backup has not, of what there is now. */
function lacks(keys: number, tokens: number): string {
  const someKeys = plural(keys, { one: 'one key', other: '# keys' })
  const someTokens = plural(tokens, { one: 'one token', other: '# tokens' })
  if (tokens === 0) return t`It’s missing ${someKeys} that you have now.`
  if (keys === 0) return t`It’s missing ${someTokens} that you have now.`
  return t`It’s missing ${someKeys} and ${someTokens} that you have now.`
}
