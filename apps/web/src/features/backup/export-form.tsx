import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Download } from 'lucide-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { download } from '../common/download.ts'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { useCountdown } from '../common/use-countdown.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'
import { type ProofKind, STRONG } from '../proof/kinds.ts'
import { ProofFields } from '../proof/proof-fields.tsx'
import { isAboutProof, proofProblem, waitUntil } from '../proof/proof-words.ts'
import { useProof } from '../proof/use-proof.ts'
import { Waiting } from '../proof/waiting.tsx'
import { useBackupHealth } from './use-backup-health.ts'

/** Writes the account, its keys and its tokens, to one file sealed under a passphrase of its own. */
export function ExportForm({ allowed = STRONG }: { allowed?: readonly ProofKind[] }) {
  const [done, setDone] = useState<{ round: number; file?: string; skipped?: number }>({ round: 0 })
  return (
    <div className="flex flex-col gap-4">
      <Fields
        key={done.round}
        allowed={allowed}
        onDone={(file, skipped) => setDone({ round: done.round + 1, file, skipped })}
      />
      {done.file ? (
        <Notice tone="good" title="The backup is in your downloads.">
          <span className="break-all">{done.file}</span>. Keep it somewhere that outlives this device, then
          check it: choose it again below.
        </Notice>
      ) : null}
      {done.skipped ? (
        <Notice tone="warn" title={`${done.skipped} stored texts were left out.`}>
          They cannot be read as tokens. Everything else is in the file.
        </Notice>
      ) : null}
    </div>
  )
}

interface FieldsProps {
  allowed: readonly ProofKind[]
  onDone: (file: string, skipped: number) => void
}

function Fields({ allowed, onDone }: FieldsProps) {
  const vault = useVault()
  const { label, address } = useVaultSnapshot()
  const { readAgain } = useBackupHealth()
  const proof = useProof(allowed)
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [retryAt, setRetryAt] = useState<number>()
  const wait = useCountdown(retryAt)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const write = useAction(async () => {
    try {
      const taken = await proof.take()
      const exportPassphrase = chosen.current?.value ?? ''
      const { filename, text, skipped } = await vault.exportVault({ proof: taken, exportPassphrase })
      download(filename, text)
      readAgain()
      announce('Backup written', filename)
      onDone(filename, skipped.length)
    } catch (error) {
      setRetryAt(waitUntil(error))
      throw error
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough && wait === 0) write.run()
  }
  const about = isAboutProof(write.error)
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={label} />
      <ProofFields
        proof={proof}
        label="Passphrase of this vault"
        hint="Asked again, so that nobody at an unlocked screen can take your keys with them."
        disabled={write.pending}
        error={about ? proofProblem(write.error, proof.kind) : undefined}
        onChange={write.clear}
      />
      <NewPassphrase
        label="Passphrase for the file"
        hint="The file opens with this one. Write it down and keep it away from the file."
        inputRef={chosen}
        againRef={again}
        known={[label ?? '', address ?? '']}
        onEnough={onEnough}
        disabled={write.pending}
      />
      <Waiting seconds={wait} />
      {about ? null : <Failure error={write.error} />}
      {write.pending ? (
        <Progress label="Deriving the file’s key and sealing everything in it…" value={null} />
      ) : null}
      <Button
        tone="primary"
        type="submit"
        busy={write.pending}
        disabled={!enough || wait > 0}
        icon={<Download className="size-4" aria-hidden />}
        className="self-start"
      >
        Write the backup file
      </Button>
    </form>
  )
}
