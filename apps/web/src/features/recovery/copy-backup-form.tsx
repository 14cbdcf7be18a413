import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { announce } from '../../components/announce.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Progress } from '../../components/progress.tsx'
import { Slow } from '../../components/slow.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { useWork } from '../backup/use-work.ts'
import { downloadFile } from '../common/download.ts'
import { Failure } from '../common/failure.tsx'
import { Result } from '../common/result.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'
import { proofProblem } from '../proof/proof-words.ts'

/** Writes a backup file from an account's second copy: also where the browser's database does not open any more. */
export function CopyBackupForm({ address }: { address: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const own = useRef<HTMLInputElement>(null)
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [file, setFile] = useState<string>()
  const onEnough = useCallback((value: boolean) => setEnough(value), [])
  const work = useWork()

  const write = useAction(async () => {
    setFile(undefined)
    const written = await vault.backupLost(address, {
      proof: { passphrase: own.current?.value ?? '' },
      exportPassphrase: chosen.current?.value ?? '',
      ...work.begin(),
    })
    downloadFile(written.filename, written.file)
    announce(t`Backup written`, written.filename)
    setFile(written.filename)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough) write.run()
  }
  const wrong = proofProblem(write.error, 'passphrase')
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={undefined} />
      <PassphraseField
        label={t`Passphrase of this vault`}
        hint={t`The one you unlock it with. It opens the copy.`}
        inputRef={own}
        autoComplete="current-password"
        what={t`passphrase`}
        disabled={write.pending}
        onValueChange={write.clear}
      />
      <NewPassphrase
        label={t`Passphrase for the file`}
        hint={t`The file opens with this one. Write it down and keep it away from the file.`}
        inputRef={chosen}
        againRef={again}
        known={[address]}
        onEnough={onEnough}
        disabled={write.pending}
      />
      {wrong ? <Notice tone="bad">{wrong}</Notice> : <Failure error={write.error} />}
      {write.pending ? (
        <Slow>
          <Progress label={work.words || t`Reading the second copy…`} value={work.percent} />
        </Slow>
      ) : null}
      {file ? (
        <Result>
          <Notice tone="good" title={t`The backup is in your downloads.`}>
            <Trans>
              <span className="break-all">{file}</span> brings this vault back in any browser.
            </Trans>
          </Notice>
        </Result>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          busy={write.pending}
          disabled={!enough}
          icon={<Download className="size-4" aria-hidden />}
        >
          <Trans>Write the backup file</Trans>
        </Button>
        {write.pending ? (
          <Button tone="bare" onClick={work.stop}>
            <Trans>Stop</Trans>
          </Button>
        ) : null}
      </div>
    </form>
  )
}
