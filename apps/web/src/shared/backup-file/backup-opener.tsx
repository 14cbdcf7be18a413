import { useVaultSnapshot } from '@keyhole/vault-react'
import { t as now } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { sizeWords } from '../text/too-long.ts'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { DropZone } from '../ui/fields/drop-zone.tsx'
import { PassphraseField } from '../ui/fields/passphrase-field.tsx'
import { UsernameHint } from '../ui/fields/username-hint.tsx'
import { ScanButton } from '../ui/sharing/scan-button.tsx'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'
import { type BackupWay, backupLabel, backupWays, type ChosenFile, readBackup } from './read-backup.ts'

/** What a backup file is opened with: its passphrase, or the account's recovery code. */
export type BackupKey = { readonly exportPassphrase: string } | { readonly recoveryCode: string }

/** What may open a file that was not chosen yet. */
const EITHER = ['passphrase', 'recovery code'] as const

/** A backup file being chosen, and what opens it. */
export interface BackupInHand {
  readonly file: ChosenFile | undefined
  readonly problem: string | undefined
  /** What the file can be opened with. */
  readonly ways: readonly BackupWay[]
  /** What is asked for. */
  readonly by: BackupWay
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly setFile: (file: File) => void
  readonly setBy: (by: BackupWay) => void
  /** The file and what was typed; undefined, with the reason shown, while something is missing. */
  readonly take: () => ({ text: Blob } & BackupKey) | undefined
}

/** @param onChange told when another file is chosen: an older answer is about something else */
export function useBackupInHand(onChange: () => void): BackupInHand {
  const inputRef = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<ChosenFile>()
  const [problem, setProblem] = useState<string>()
  const [asked, setBy] = useState<BackupWay>()
  const turn = useRef(0)
  const from = useRef<Element>(null)
  const ways = useMemo(() => (file ? backupWays(file.start) : EITHER), [file])
  const by = asked && ways.includes(asked) ? asked : ways[0]
  useEffect(() => {
    // Whoever has gone on to another field meanwhile stays there.
    if (file && [document.body, from.current].includes(document.activeElement)) inputRef.current?.focus()
  }, [file])
  const choose = useCallback(
    (next: File) => {
      onChange()
      turn.current += 1
      const mine = turn.current
      from.current = document.activeElement
      void readBackup(next).then((read) => {
        // A larger file that was chosen before may be read after.
        if (mine !== turn.current) return
        setProblem('problem' in read ? read.problem : undefined)
        if (!('problem' in read)) setFile(read)
      })
    },
    [onChange],
  )
  const take = () => {
    const typed = inputRef.current?.value ?? ''
    const missing = file?.isCopy
      ? now`This is a second copy saved as a file, not a backup. Choose it under “Restore from a backup”.`
      : !file
        ? now`Choose the backup file first. Its name ends in .keyhole.json.`
        : typed.trim() !== ''
          ? undefined
          : by === 'passphrase'
            ? now`Enter the backup’s passphrase.`
            : now`Type the recovery code.`
    setProblem(missing)
    if (!file || missing !== undefined || file.isCopy) return undefined
    const key = by === 'passphrase' ? { exportPassphrase: typed } : { recoveryCode: typed }
    return { text: file.file, ...key }
  }
  return { file, problem, ways, by, inputRef, setFile: choose, setBy, take }
}

interface BackupOpenerProps {
  backup: BackupInHand
  disabled: boolean
  onChange: () => void
}

/** Chooses a backup file, and takes what opens it. */
export function BackupOpener({ backup, disabled, onChange }: BackupOpenerProps) {
  const { t } = useLingui()
  const [moved, setMoved] = useState(false)
  const byCode = backup.by === 'recovery code'
  const { file } = backup
  const isOnlyByCode = !backup.ways.includes('passphrase')
  const hint = isOnlyByCode
    ? t`Only the recovery code opens this file: the one your vault had when the file was created.`
    : byCode
      ? t`Use the code that the vault had when the file was created.`
      : undefined
  return (
    <>
      <DropZone
        label={t`Drop the backup file here`}
        accept=".json,.keyhole-copy,application/json"
        chosen={file && `${file.name} (${sizeWords(file.size)})`}
        onFile={backup.setFile}
      />
      {file ? <Label text={file.start} /> : null}
      {backup.problem ? <Notice tone="bad">{backup.problem}</Notice> : null}
      {file?.isCopy ? null : (
        <div className="flex flex-col gap-2 *:last:self-start">
          <Fragment key={backup.by}>
            <UsernameHint name={undefined} />
            <PassphraseField
              label={byCode ? t`Recovery code` : t`Backup passphrase`}
              hint={hint}
              aside={
                byCode ? (
                  <ScanButton
                    what={t`the recovery code`}
                    onText={(text) => {
                      if (backup.inputRef.current) backup.inputRef.current.value = text
                      onChange()
                    }}
                  />
                ) : null
              }
              inputRef={backup.inputRef}
              autoComplete={byCode ? 'off' : 'current-password'}
              what={byCode ? t`recovery code` : t`passphrase`}
              autoFocus={moved}
              disabled={disabled}
              onValueChange={onChange}
            />
          </Fragment>
          {backup.ways.length > 1 ? (
            <TextButton
              disabled={disabled}
              onClick={() => {
                setMoved(true)
                backup.setBy(byCode ? 'passphrase' : 'recovery code')
                onChange()
              }}
            >
              {byCode ? (
                <Trans>Use the passphrase instead</Trans>
              ) : (
                <Trans>Use the recovery code instead</Trans>
              )}
            </TextButton>
          ) : null}
        </div>
      )}
    </>
  )
}

/** What the file says of itself, before it is opened. */
function Label({ text }: { text: string }) {
  const { accounts } = useVaultSnapshot()
  const label = useMemo(() => backupLabel(text), [text])
  if (label === undefined) return null
  const whose = shorten(label.address, 8, 6)
  const when = moment(label.writtenAt)
  const here = accounts.some(({ address }) => address === label.address)
  return (
    <p className="text-ink-soft text-sm">
      <Trans>
        The file says it’s from <code>{whose}</code>, created {when}.
      </Trans>{' '}
      {here ? (
        <Trans>That vault is in this browser.</Trans>
      ) : (
        <Trans>That vault is not in this browser.</Trans>
      )}
    </p>
  )
}
