import { useVault } from '@keyhole/vault-react'
import { ArchiveRestore } from 'lucide-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { DropZone } from '../../components/drop-zone.tsx'
import { Notice } from '../../components/notice.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { sizeWords } from '../../components/too-long.ts'
import { UsernameHint } from '../../components/username-hint.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'

/** Backups hold every token with its chain: far longer than one token, far shorter than this. */
const LARGEST_BACKUP = 64 * 1024 * 1024

interface ImportFormProps {
  /** "restore": as a new account under a new passphrase; "merge": into the account that is open. */
  into: 'restore' | 'merge'
  onImported?: () => void
}

/** Reads a backup file: all of it is verified before any of it is written. */
export function ImportForm({ into, onImported }: ImportFormProps) {
  const vault = useVault()
  const sealed = useRef<HTMLInputElement>(null)
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [problem, setProblem] = useState<string>()
  const [enough, setEnough] = useState(false)
  const [done, setDone] = useState(false)
  const [counted, setCounted] = useState<number | null>(null)
  const [round, setRound] = useState(0)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const take = (next: File) => {
    setDone(false)
    read.clear()
    if (next.size > LARGEST_BACKUP) {
      setProblem(
        `“${next.name}” has ${sizeWords(next.size)}: too much for a backup of Keyhole. It was not read.`,
      )
      return
    }
    next.text().then(
      (text) => {
        setProblem(undefined)
        setFile({ name: next.name, text })
      },
      () => setProblem(`“${next.name}” could not be read. Is it still there?`),
    )
  }
  const read = useAction(async () => {
    if (!file) {
      setProblem('Choose the backup file first. Its name ends in .keyhole.json.')
      return
    }
    setCounted(null)
    await vault.importVault({
      text: file.text,
      onProgress: (done, total) => setCounted(total === 0 ? null : (done / total) * 100),
      exportPassphrase: sealed.current?.value ?? '',
      ...(into === 'restore' && { passphrase: chosen.current?.value ?? '' }),
    })
    setFile(undefined)
    setRound(round + 1)
    setDone(true)
    announce(into === 'restore' ? 'Vault restored' : 'Backup merged')
    onImported?.()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (into === 'merge' || enough) read.run()
  }
  return (
    <form key={round} onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={undefined} />
      <DropZone
        label="Drop the backup file here: keyhole-….keyhole.json"
        accept=".json,application/json"
        chosen={file?.name}
        onFile={take}
      />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <PassphraseField
        label="Passphrase of the file"
        inputRef={sealed}
        autoComplete="current-password"
        disabled={read.pending}
        onValueChange={read.clear}
      />
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
      <Failure error={read.error} />
      {read.pending ? (
        <Progress label="Opening the file, and verifying all that is in it…" value={counted} />
      ) : null}
      {done ? (
        <Notice tone="good">
          {into === 'restore'
            ? 'Everything in the file is back.'
            : 'Everything in the file is here now; nothing of yours was lost.'}
        </Notice>
      ) : null}
      <Button
        tone={into === 'restore' ? 'primary' : 'quiet'}
        type="submit"
        busy={read.pending}
        disabled={into === 'restore' && !enough}
        icon={<ArchiveRestore className="size-4" aria-hidden />}
        className="self-start"
      >
        {into === 'restore' ? 'Restore the vault' : 'Merge it in'}
      </Button>
    </form>
  )
}
