import type { VerifiedBackup } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { ShieldCheck } from 'lucide-react'
import { type FormEvent, useCallback, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'
import { BackupOpener, useBackupInHand } from './backup-opener.tsx'
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
      {found ? <Found check={found} /> : null}
    </div>
  )
}

function Fields({ onFound }: { onFound: (check: VerifiedBackup | undefined) => void }) {
  const vault = useVault()
  const { readAgain } = useBackupHealth()
  const verify = useAction(async () => {
    const taken = backup.take()
    if (!taken) return
    onFound(undefined)
    const check = await vault.verifyBackup(taken)
    readAgain()
    onFound(check)
  })
  const changed = useCallback(() => verify.clear(), [verify.clear])
  const backup = useBackupInHand(changed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.run()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <BackupOpener backup={backup} disabled={verify.pending} onChange={changed} />
      <Failure error={verify.error} />
      {verify.pending ? (
        <Progress label="Opening the file, and comparing it with this vault…" value={null} />
      ) : null}
      <Button
        type="submit"
        busy={verify.pending}
        icon={<ShieldCheck className="size-4" aria-hidden />}
        className="self-start"
      >
        Check the file
      </Button>
    </form>
  )
}

function Found({ check }: { check: VerifiedBackup }) {
  const { keys, tokens } = check.missing
  const lacks = keys > 0 || tokens > 0
  return (
    <div className="flex flex-col gap-3">
      {lacks ? (
        <Notice tone="warn" title="The file opens, and is older than this vault.">
          It lacks {counted(keys, 'key')}
          {keys > 0 && tokens > 0 ? ' and ' : ''}
          {counted(tokens, 'token')} that you have now. Write a new one.
        </Notice>
      ) : (
        <Notice tone="good" title="The file opens, and everything in this vault is in it." />
      )}
      <Facts
        facts={[
          [
            'Account',
            <span key="address" title={check.address}>
              {shorten(check.address, 10, 8)}
            </span>,
          ],
          ['Written', moment(check.createdAt * 1000)],
          ['Keys', `${check.keys}`],
          ['Tokens', `${check.tokens}`],
        ]}
      />
    </div>
  )
}

function counted(count: number, noun: string): string {
  if (count === 0) return ''
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}
