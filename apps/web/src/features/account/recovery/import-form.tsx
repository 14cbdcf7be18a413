import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { BackupOpener, useBackupInHand } from '../../../shared/backup-file/backup-opener.tsx'
import { takeDropped, useDropped } from '../../../shared/backup-file/dropped.ts'
import { backupLabel } from '../../../shared/backup-file/read-backup.ts'
import { useWork } from '../../../shared/backup-file/use-work.ts'
import { announce } from '../../../shared/browser/announce.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { NewPassphrase } from '../../../shared/passphrase/new-passphrase.tsx'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Result } from '../../../shared/ui/feedback/result.tsx'
import { Slow } from '../../../shared/ui/feedback/slow.tsx'
import { CheckBox } from '../../../shared/ui/fields/check-box.tsx'
import { UsernameHint } from '../../../shared/ui/fields/username-hint.tsx'
import { Form, FormEnd } from '../../../shared/ui/layout/form.tsx'
import { forgetUnconfirmedCode } from '../../../shared/unlock-proof/unconfirmed-code.ts'
import { unlockProblem } from '../../../shared/unlock-proof/unlock-proof-words.ts'

interface ImportFormProps {
  /** "restore": as a new account under a new passphrase; "merge": into the account that is open. */
  into: 'restore' | 'merge'
  onImported?: (how: Done['how'], lostKeys: number) => void
}

/** Reads a backup file: all of it is verified before any of it is written. One of the account that is open is merged in any case. */
export function ImportForm({ into, onImported }: ImportFormProps) {
  const [round, setRound] = useState(0)
  const [done, setDone] = useState<Done>()
  return (
    <div className="flex flex-col gap-4">
      <Fields
        key={round}
        into={into}
        offersDeleted={(done?.deletedKeys?.length ?? 0) > 0}
        onStart={() => setDone(undefined)}
        onDone={(brought) => {
          setRound(round + 1)
          setDone(brought)
          onImported?.(brought.how, brought.lostKeys?.length ?? 0)
        }}
      />
      {done ? (
        <Result key={`result ${round}`}>
          <Notice tone="good">
            {done.how === 'merged' ? merged(done) : <Trans>Everything in the file is back.</Trans>}
          </Notice>
          {done.deletedKeys?.length ? (
            <Notice>
              <Plural
                value={done.deletedKeys.length}
                one="One key in the file stays deleted, because you deleted it here. To get it back, choose the file again and turn on “Bring deleted keys back”."
                other="# keys in the file stay deleted: you deleted them here. To get them back, choose the file again and turn on “Bring deleted keys back”."
              />
            </Notice>
          ) : null}
          {done.unreadable ? (
            <Notice tone="warn">
              <Plural
                value={done.unreadable}
                one="One record in the file could not be read or was not signed by anyone, and was left out."
                other="# records in the file could not be read or were not signed by anyone, and were left out."
              />
            </Notice>
          ) : null}
        </Result>
      ) : null}
    </div>
  )
}

interface Done {
  /** `copied`: from the file of a second copy; `reset`: an account that was here and locked. */
  how: 'restored' | 'merged' | 'copied' | 'reset'
  tokens: number
  keys: number
  /** Records that were in the file and could not be read. */
  unreadable?: number
  /** Keys of the file that were left out, since they were deleted here. */
  deletedKeys?: readonly string[]
  /** Keys that were made after the file was written. */
  lostKeys?: readonly string[]
}

function merged({ keys, tokens }: { tokens: number; keys: number }) {
  if (keys === 0 && tokens === 0) {
    return <Trans>The file had nothing new, and nothing was lost.</Trans>
  }
  const newKeys = plural(keys, { one: '# key', other: '# keys' })
  const newTokens = plural(tokens, { one: '# token', other: '# tokens' })
  return (
    <Trans>
      Everything in the file is here now, and nothing was lost. New: {newKeys}, {newTokens}.
    </Trans>
  )
}

interface FieldsProps {
  into: 'restore' | 'merge'
  /** Whether keys that were deleted here can be asked for. */
  offersDeleted: boolean
  onStart: () => void
  onDone: (brought: Done) => void
}

function Fields({ into, offersDeleted, onStart, onDone }: FieldsProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { accounts, address, phase } = useVaultSnapshot()
  const chosen = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [deletedKeys, setDeletedKeys] = useState(false)
  const [resets, setResets] = useState(false)
  const work = useWork()
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const read = useAction(async () => {
    if (isCopy && backup.file) {
      onStart()
      const brought = await vault.accounts.restoreCopy(backup.file.file, work.begin())
      announce(t`Vault restored`)
      onDone({ how: 'copied', keys: 0, tokens: brought.tokens, unreadable: brought.unreadable })
      return
    }
    const taken = backup.take()
    if (!taken) return
    onStart()
    if (isReset) {
      const passphrase = chosen.current?.value ?? ''
      const reset = await vault.accounts.reset({ ...taken, ...work.begin(), passphrase })
      forgetUnconfirmedCode(reset.address)
      announce(t`Vault opened`, t`With the new passphrase.`)
      onDone({ how: 'reset', ...reset })
      return
    }
    const brought = await vault.importVault({
      ...taken,
      ...work.begin(),
      ...(deletedKeys && { deletedKeys }),
      ...(how === 'restored' && { passphrase: chosen.current?.value ?? '' }),
    })
    announce(how === 'restored' ? t`Vault restored` : t`Backup merged`)
    onDone({ how, ...brought })
  })
  const changed = useCallback(() => read.clear(), [read.clear])
  const backup = useBackupInHand(changed)
  useDropped(() => {
    const file = into === 'restore' ? takeDropped() : undefined
    if (file) backup.setFile(file)
  })
  // What the file says is for the eye alone: the vault decides by what it finds in it.
  const whose = backup.file && backupLabel(backup.file.start)?.address
  // One whose keys are missing here is brought back by its file like any other.
  const isHere = accounts.some((account) => account.address === whose && account.createdAt !== undefined)
  const isOpen = isHere && whose === address && phase === 'unlocked'
  const isCopy = into === 'restore' && backup.file?.isCopy === true
  const how = into === 'merge' || isHere ? 'merged' : 'restored'
  const isReset = into === 'restore' && !isCopy && isHere && !isOpen && resets
  const ready = isCopy || (isReset ? enough : how === 'merged' ? into === 'merge' || isOpen : enough)
  const submit = () => {
    if (ready) read.run()
  }
  const refused = backup.by === 'recovery code' ? unlockProblem(read.error, 'recovery_code') : undefined
  return (
    <Form onSubmit={submit}>
      <UsernameHint name={undefined} />
      <BackupOpener backup={backup} disabled={read.pending} onChange={changed} />
      {into === 'restore' && isOpen ? (
        <Notice>
          <Trans>
            That vault is open here. Keyhole adds what it’s missing from the file, and you unlock it as
            before.
          </Trans>
        </Notice>
      ) : null}
      {into === 'restore' && isHere && !isOpen ? (
        <>
          <Notice
            tone="warn"
            title={t`That vault is already in this browser, and it’s locked.`}
            actions={
              <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass('quiet', 'small')}>
                <Trans>Vaults in this browser</Trans>
              </Link>
            }
          >
            <Trans>Open and unlock it. Then you can merge the file into it.</Trans>
          </Notice>
          <CheckBox
            label={t`I can’t unlock it any more: open it with this file`}
            hint={t`Only the new passphrase you choose opens it here. Tokens stay. Keys made after the file was created can’t be opened, and names may be lost.`}
            checked={resets}
            disabled={read.pending}
            onCheckedChange={setResets}
          />
        </>
      ) : null}
      {offersDeleted ? (
        <CheckBox
          label={t`Bring deleted keys back`}
          hint={t`Keys in the file that you deleted here.`}
          checked={deletedKeys}
          disabled={read.pending}
          onCheckedChange={setDeletedKeys}
        />
      ) : null}
      {isCopy ? (
        <Notice title={t`This is a second copy, saved as a file.`}>
          <Trans>
            You don’t need anything else to restore it. Afterwards, unlock the vault as you did before.
          </Trans>{' '}
          <Trans>
            If the vault is on several devices, this browser won’t be one of them. To sync it, choose “Another
            device” instead.
          </Trans>
        </Notice>
      ) : into === 'restore' && !isOpen ? (
        // Hidden, not taken away: browsers look at what a form begins with.
        <div hidden={how !== 'restored' && !isReset}>
          <NewPassphrase
            label={t`Passphrase for this browser`}
            hint={t`You’ll use it to unlock here. You can reuse your old one.`}
            inputRef={chosen}
            againRef={again}
            known={[]}
            onEnough={onEnough}
            disabled={read.pending}
          />
        </div>
      ) : null}
      {refused ? <Notice tone="bad">{refused}</Notice> : null}
      <FormEnd
        action={{ pending: read.pending, error: refused ? undefined : read.error }}
        tone={into === 'restore' ? 'primary' : 'quiet'}
        disabled={!ready}
        icon={<ArchiveRestore className="size-4" aria-hidden />}
        progress={
          read.pending ? (
            <Slow>
              <Progress label={work.words || t`Opening the file and checking it all…`} value={work.percent} />
            </Slow>
          ) : null
        }
        onStop={work.stop}
      >
        {isReset ? (
          <Trans>Open the vault</Trans>
        ) : isCopy || how === 'restored' ? (
          <Trans>Restore the vault</Trans>
        ) : (
          <Trans>Merge backup</Trans>
        )}
      </FormEnd>
    </Form>
  )
}
