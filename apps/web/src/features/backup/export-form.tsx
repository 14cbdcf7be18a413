import type { BackupFile } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useWork } from '../../shared/backup-file/use-work.ts'
import { announce } from '../../shared/browser/announce.ts'
import { downloadFile } from '../../shared/browser/download.ts'
import { NewPassphrase } from '../../shared/passphrase/new-passphrase.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Result } from '../../shared/ui/feedback/result.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { UsernameHint } from '../../shared/ui/fields/username-hint.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { UnlockProofFields } from '../../shared/unlock-proof/unlock-proof-fields.tsx'
import { useProven } from '../../shared/unlock-proof/use-proven.ts'
import { useUnlockProof } from '../../shared/unlock-proof/use-unlock-proof.ts'
import { Waiting } from '../../shared/unlock-proof/waiting.tsx'
import { STRONG, type UnlockKind } from '../../shared/words/unlock-kinds.ts'
import { SaveAgain } from './save-again.tsx'
import { useBackupHealth } from './use-backup-health.ts'

/** Writes the account, its keys and its tokens, to one file sealed under a passphrase of its own. */
export function ExportForm({ allowed = STRONG }: { allowed?: readonly UnlockKind[] }) {
  const [done, setDone] = useState<{ round: number; backup?: BackupFile }>({ round: 0 })
  const { backup } = done
  return (
    <div className="flex flex-col gap-4">
      <Fields
        key={done.round}
        allowed={allowed}
        onDone={(written) => setDone({ round: done.round + 1, backup: written })}
      />
      {backup ? (
        <Result key={`result ${done.round}`}>
          <Notice title={<Trans>Look for the backup file in your downloads.</Trans>}>
            <Trans>
              <span className="break-all">{backup.filename}</span>. Keep it somewhere safe, away from this
              device. Then choose it again from there to check it.
            </Trans>
          </Notice>
          <SaveAgain {...backup} />
          {backup.skipped.length > 0 ? (
            <Notice
              tone="warn"
              title={
                <Plural
                  value={backup.skipped.length}
                  one="# stored text was left out."
                  other="# stored texts were left out."
                />
              }
            >
              <Trans>Texts that can’t be read as tokens aren’t in the file. Everything else is.</Trans>
            </Notice>
          ) : null}
        </Result>
      ) : null}
    </div>
  )
}

interface FieldsProps {
  allowed: readonly UnlockKind[]
  onDone: (written: BackupFile) => void
}

function Fields({ allowed, onDone }: FieldsProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { label, address } = useVaultSnapshot()
  const { readAgain } = useBackupHealth()
  const work = useWork()
  const proof = useUnlockProof(allowed)
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const write = useProven(proof, async (given) => {
    const exportPassphrase = chosen.current?.value ?? ''
    const request = { proof: given, exportPassphrase, ...work.begin() }
    const written = await vault.exportVault(request)
    downloadFile(written.filename, written.file)
    readAgain()
    announce(t`Backup created`, written.filename)
    onDone(written)
  })
  const hasCode = proof.methods.some(({ kind }) => kind === 'recovery_code')
  const submit = () => {
    if (enough) write.run()
  }
  return (
    <Form onSubmit={submit}>
      <UsernameHint name={label} />
      <UnlockProofFields
        proof={proof}
        label={t`Passphrase of this vault`}
        hint={t`We ask again so that no one at an unlocked screen can take your keys.`}
        disabled={write.pending}
        error={write.problem}
        onChange={write.clear}
      />
      <NewPassphrase
        label={t`Passphrase for the file`}
        hint={
          hasCode
            ? t`This passphrase opens the file, and so does your recovery code. Keep it away from the file.`
            : t`This passphrase opens the file. Write it down and keep it away from the file.`
        }
        inputRef={chosen}
        againRef={again}
        known={[label ?? '', address ?? '']}
        onEnough={onEnough}
        disabled={write.pending}
      />
      <Waiting seconds={write.wait} />
      <FormEnd
        action={{ pending: write.pending, error: write.failure }}
        disabled={!enough || write.wait > 0}
        icon={<Download className="size-4" aria-hidden />}
        progress={
          write.pending ? (
            <Slow>
              <Progress label={work.words || t`Encrypting your vault…`} value={work.percent} />
            </Slow>
          ) : null
        }
        onStop={work.stop}
      >
        <Trans>Create backup file</Trans>
      </FormEnd>
    </Form>
  )
}
