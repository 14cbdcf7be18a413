import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Download } from 'lucide-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { download } from '../common/download.ts'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'
import { markBackup } from './last-backup.ts'

/** Writes the account, its keys and its tokens, to one file sealed under a passphrase of its own. */
export function ExportForm() {
  const vault = useVault()
  const { label, address, revision } = useVaultSnapshot()
  const current = useRef<HTMLInputElement>(null)
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [file, setFile] = useState<string>()
  const [round, setRound] = useState(0)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const write = useAction(async () => {
    setFile(undefined)
    const { filename, text } = await vault.exportVault({
      passphrase: current.current?.value ?? '',
      exportPassphrase: chosen.current?.value ?? '',
    })
    download(filename, text)
    if (address !== undefined) markBackup(address, revision, Date.now())
    setRound(round + 1)
    setFile(filename)
    announce('Backup written', filename)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough) write.run()
  }
  return (
    <form key={round} onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={label} />
      <PassphraseField
        label="Passphrase of this vault"
        hint="Asked again, so that nobody at an unlocked screen can take your keys with them."
        inputRef={current}
        autoComplete="current-password"
        disabled={write.pending}
        onValueChange={write.clear}
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
      <Failure error={write.error} />
      {write.pending ? (
        <Progress label="Deriving the file’s key and sealing everything in it…" value={null} />
      ) : null}
      {file ? (
        <Notice tone="good" title="The backup is in your downloads.">
          <span className="break-all">{file}</span>. Keep it somewhere that outlives this device.
        </Notice>
      ) : null}
      <Button
        tone="primary"
        type="submit"
        busy={write.pending}
        disabled={!enough}
        icon={<Download className="size-4" aria-hidden />}
        className="self-start"
      >
        Write the backup file
      </Button>
    </form>
  )
}
