import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArchiveRestore } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { announce } from '../../components/announce.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { Slow } from '../../components/slow.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { Failure } from '../common/failure.tsx'
import { Result } from '../common/result.tsx'
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
        <Result key={`result ${round}`}>
          <Notice tone="good">
            {into === 'restore' ? <Trans>Everything in the file is back.</Trans> : merged(done)}
          </Notice>
        </Result>
      ) : null}
    </div>
  )
}

function merged({ keys, tokens }: { tokens: number; keys: number }) {
  if (keys === 0 && tokens === 0) {
    return <Trans>Everything in the file was here already; nothing of yours was lost.</Trans>
  }
  const newKeys = plural(keys, { one: '# key', other: '# keys' })
  const newTokens = plural(tokens, { one: '# token', other: '# tokens' })
  return (
    <Trans>
      Everything in the file is here now; nothing of yours was lost. New: {newKeys}, {newTokens}.
    </Trans>
  )
}

interface FieldsProps {
  into: 'restore' | 'merge'
  onStart: () => void
  onDone: (brought: { tokens: number; keys: number }) => void
}

function Fields({ into, onStart, onDone }: FieldsProps) {
  const { t } = useLingui()
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
    announce(into === 'restore' ? t`Vault restored` : t`Backup merged`)
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
          label={t`Passphrase for this browser`}
          hint={t`You will unlock with it here. It may be the one you had.`}
          inputRef={chosen}
          againRef={again}
          known={[]}
          onEnough={onEnough}
          disabled={read.pending}
        />
      ) : null}
      {refused ? <Notice tone="bad">{refused}</Notice> : <Failure error={read.error} />}
      {read.pending ? (
        <Slow>
          <Progress label={t`Opening the file, and verifying all that is in it…`} value={counted} />
        </Slow>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          tone={into === 'restore' ? 'primary' : 'quiet'}
          type="submit"
          busy={read.pending}
          disabled={into === 'restore' && !enough}
          icon={<ArchiveRestore className="size-4" aria-hidden />}
        >
          {into === 'restore' ? <Trans>Restore the vault</Trans> : <Trans>Merge it in</Trans>}
        </Button>
        {read.pending ? (
          <Button tone="bare" onClick={() => stop.current?.abort()}>
            <Trans>Stop</Trans>
          </Button>
        ) : null}
      </div>
    </form>
  )
}
