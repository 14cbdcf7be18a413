import { Fragment, type RefObject, useCallback, useRef, useState } from 'react'
import { DropZone } from '../../components/drop-zone.tsx'
import { Notice } from '../../components/notice.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { TextButton } from '../../components/text-button.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { type ChosenFile, readBackup } from './read-backup.ts'

/** What a backup file is opened with: its passphrase, or the account's recovery code. */
export type BackupKey = { readonly exportPassphrase: string } | { readonly recoveryCode: string }

/** A backup file being chosen, and what opens it. */
export interface BackupInHand {
  readonly file: ChosenFile | undefined
  readonly problem: string | undefined
  readonly by: 'passphrase' | 'recovery code'
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly setFile: (file: File) => void
  readonly setBy: (by: 'passphrase' | 'recovery code') => void
  /** The file's text and what was typed; undefined, with the reason shown, while something is missing. */
  readonly take: () => ({ text: string } & BackupKey) | undefined
}

export function useBackupInHand(onChange: () => void): BackupInHand {
  const inputRef = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<ChosenFile>()
  const [problem, setProblem] = useState<string>()
  const [by, setBy] = useState<'passphrase' | 'recovery code'>('passphrase')
  const choose = useCallback(
    (next: File) => {
      onChange()
      void readBackup(next).then((read) => {
        if ('problem' in read) setProblem(read.problem)
        else {
          setProblem(undefined)
          setFile(read)
        }
      })
    },
    [onChange],
  )
  const take = () => {
    if (!file) {
      setProblem('Choose the backup file first. Its name ends in .keyhole.json.')
      return undefined
    }
    const typed = inputRef.current?.value ?? ''
    if (typed.trim() === '') {
      setProblem(`Type the ${by === 'passphrase' ? 'passphrase of the file' : 'recovery code'}.`)
      return undefined
    }
    setProblem(undefined)
    const key = by === 'passphrase' ? { exportPassphrase: typed } : { recoveryCode: typed }
    return { text: file.text, ...key }
  }
  return { file, problem, by, inputRef, setFile: choose, setBy, take }
}

interface BackupOpenerProps {
  backup: BackupInHand
  disabled: boolean
  onChange: () => void
}

/** Chooses a backup file, and takes what opens it. */
export function BackupOpener({ backup, disabled, onChange }: BackupOpenerProps) {
  const { by } = backup
  const other = by === 'passphrase' ? 'recovery code' : 'passphrase'
  return (
    <>
      <DropZone
        label="Drop the backup file here: keyhole-….keyhole.json"
        accept=".json,application/json"
        chosen={backup.file?.name}
        onFile={backup.setFile}
      />
      {backup.problem ? <Notice tone="bad">{backup.problem}</Notice> : null}
      <div className="flex flex-col gap-2 *:last:self-start">
        <Fragment key={by}>
          <UsernameHint name={undefined} />
          <PassphraseField
            label={by === 'passphrase' ? 'Passphrase of the file' : 'Recovery code'}
            hint={by === 'passphrase' ? undefined : 'The one that the account had when the file was written.'}
            inputRef={backup.inputRef}
            autoComplete={by === 'passphrase' ? 'current-password' : 'off'}
            what={by}
            disabled={disabled}
            onValueChange={onChange}
          />
        </Fragment>
        <TextButton
          disabled={disabled}
          onClick={() => {
            backup.setBy(other)
            onChange()
          }}
        >
          {other === 'recovery code' ? 'Use the recovery code instead' : 'Use the passphrase instead'}
        </TextButton>
      </div>
    </>
  )
}
