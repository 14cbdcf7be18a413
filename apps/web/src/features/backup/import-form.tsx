import { useVault } from '@keyhole/vault-react'
import { ArchiveRestore } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'
import { proofProblem } from '../proof/proof-words.ts'
import { BackupOpener, useBackupInHand } from './backup-opener.tsx'

interface ImportFormProps {
  /** "restore": as a new account under a new passphrase; "merge": into the account that is open. */
  into: 'restore' | 'merge'
  onImported?: () => void
}

/** Reads a backup file: all of it is verified before any of it is written. */
export function ImportForm({ into, onImported }: ImportFormProps) {
  const [round, setRound] = useState(0)
  const [done, setDone] = useState<{ tokens: number; keys: number }>()
  return (
    <div className="flex flex-col gap-4">
      <Fields
        key={round}
        into={into}
        onStart={() => setDone(undefined)}
        onDone={(brought) => {
          setRound(round + 1)
          setDone(brought)
          onImported?.()
        }}
      />
      {done ? (
        <Notice tone="good">
          {into === 'restore'
            ? 'Everything in the file is back.'
            : `Everything in the file is here now; nothing of yours was lost. New: ${done.keys} keys, ${done.tokens} tokens.`}
        </Notice>
      ) : null}
    </div>
  )
}

interface FieldsProps {
  into: 'restore' | 'merge'
  onStart: () => void
  onDone: (brought: { tokens: number; keys: number }) => void
}

function Fields({ into, onStart, onDone }: FieldsProps) {
  const vault = useVault()
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [counted, setCounted] = useState<number | null>(null)
  const stop = useRef<AbortController | undefined>(undefined)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])
  useEffect(() => () => stop.current?.abort(), [])

  const read = useAction(async () => {
    const taken = backup.take()
    if (!taken) return
    onStart()
    setCounted(null)
    stop.current = new AbortController()
    const brought = await vault.importVault({
      ...taken,
      signal: stop.current.signal,
      onProgress: (done, total) => setCounted(total === 0 ? null : (done / total) * 100),
      ...(into === 'restore' && { passphrase: chosen.current?.value ?? '' }),
    })
    announce(into === 'restore' ? 'Vault restored' : 'Backup merged')
    onDone(brought)
  })
  const changed = useCallback(() => read.clear(), [read.clear])
  const backup = useBackupInHand(changed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (into === 'merge' || enough) read.run()
  }
  const refused = backup.by === 'recovery code' ? proofProblem(read.error, 'recovery_code') : undefined
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={undefined} />
      <BackupOpener backup={backup} disabled={read.pending} onChange={changed} />
      {into === 'restore' ? (
        <NewPassphrase
          label="Passphrase for this browser"
          hint="You will unlock with it here. It may be the one you had."
          inputRef={chosen}
          againRef={again}
          known={[]}
          onEnough={onEnough}
          disabled={read.pending}
        />
      ) : null}
      {refused ? <Notice tone="bad">{refused}</Notice> : <Failure error={read.error} />}
      {read.pending ? (
        <Progress label="Opening the file, and verifying all that is in it…" value={counted} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          tone={into === 'restore' ? 'primary' : 'quiet'}
          type="submit"
          busy={read.pending}
          disabled={into === 'restore' && !enough}
          icon={<ArchiveRestore className="size-4" aria-hidden />}
        >
          {into === 'restore' ? 'Restore the vault' : 'Merge it in'}
        </Button>
        {read.pending ? (
          <Button tone="bare" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        ) : null}
      </div>
    </form>
  )
}
