import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArchiveRestore, BookOpen, DatabaseBackup } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { DidText } from '../../../shared/ui/text/did-text.tsx'
import { forgetUnconfirmedCode } from '../../../shared/unlock-proof/unconfirmed-code.ts'
import { explainText } from '../../../shared/words/explain-refusal.ts'
import { moment } from '../../../shared/words/when.ts'
import { ImportForm } from './import-form.tsx'
import { SaveCopy } from './save-copy.tsx'
import { type Lost, lostWords, restoredWords } from './words.ts'

interface LostAccountProps {
  account: Lost
  /** Told what came back. */
  onRestored: (words: string) => void
}

/** One missing account: restore it from the second copy or a backup, open the copy, save it, or forget the account. */
export function LostAccount({ account, onRestored }: LostAccountProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { address, mirror, createdAt, noAnswer = false } = account
  // Nothing is written over a vault, or deleted, that may be whole.
  const canRestore = mirror !== 'none' && !noAnswer
  const [done, setDone] = useState<number | null>(null)
  const [fromFile, setFromFile] = useState(mirror === 'none' && !noAnswer)
  const [forgetting, setForgetting] = useState(false)
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const restore = useAction(async () => {
    setDone(null)
    stop.current = new AbortController()
    const brought = await vault.accounts.restoreLost(address, {
      signal: stop.current.signal,
      onProgress: (read, total) => setDone(total === 0 ? null : (read / total) * 100),
    })
    const words = restoredWords(brought)
    announce(t`Vault restored`, words)
    onRestored(words)
  })
  const open = useAction(() => vault.accounts.openCopy(address))
  const { tone, title, text } = lostWords(account)
  const when = createdAt === undefined ? undefined : moment(createdAt)
  return (
    <Card
      title={t`The missing vault`}
      description={when === undefined ? undefined : t`Created here on ${when}.`}
    >
      <div className="flex flex-col gap-4">
        <DidText text={address} what={t`the address`} />
        <Notice tone={tone} title={title}>
          {text}
        </Notice>
        <Failure error={restore.error} />
        {restore.pending ? (
          <Progress label={t`Reading the second copy, and checking all of it…`} value={done} />
        ) : null}
        <div className="flex flex-wrap gap-2">
          {canRestore ? (
            <Button
              tone="primary"
              onClick={() => restore.run()}
              busy={restore.pending}
              icon={<DatabaseBackup className="size-4" aria-hidden />}
            >
              <Trans>Restore it from the copy</Trans>
            </Button>
          ) : null}
          {restore.pending ? (
            <Button tone="bare" onClick={() => stop.current?.abort()}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <>
              {mirror === 'none' ? null : (
                <Button
                  onClick={() => open.run()}
                  busy={open.pending}
                  icon={<BookOpen className="size-4" aria-hidden />}
                >
                  <Trans>Open it from the copy</Trans>
                </Button>
              )}
              {canRestore ? (
                <Button
                  onClick={() => setFromFile(!fromFile)}
                  aria-expanded={fromFile}
                  icon={<ArchiveRestore className="size-4" aria-hidden />}
                >
                  <Trans>Restore from a backup</Trans>
                </Button>
              ) : (
                <Button tone={noAnswer ? 'primary' : 'quiet'} onClick={() => location.reload()}>
                  <Trans>Look again</Trans>
                </Button>
              )}
              {noAnswer ? null : (
                <Button tone="bare" onClick={() => setForgetting(true)}>
                  <Trans>Forget vault</Trans>
                </Button>
              )}
            </>
          )}
        </div>
        <Failure error={open.error} />
        {mirror === 'none' ? null : (
          <div className="border-line border-t pt-4 text-ink-soft text-sm">
            <p>
              <Trans>
                If your browser can’t open its database, open the vault from the copy and back it up. Or save
                the copy and restore it in another browser.
              </Trans>
            </p>
            <SaveCopy address={address} />
          </div>
        )}
        {fromFile && !restore.pending ? (
          <div className="border-line border-t pt-4">
            <h3 className="mb-3 font-semibold">
              <Trans>Restore from a backup file</Trans>
            </h3>
            <ImportForm
              into="restore"
              onImported={() => onRestored(t`Everything in the file is back, and the vault is open.`)}
            />
          </div>
        ) : null}
      </div>
      <ConfirmDialog
        open={forgetting}
        onOpenChange={setForgetting}
        title={t`Forget this vault?`}
        phrase={address.slice(-6)}
        phraseHint={t`The last 6 characters of its address.`}
        action={t`Forget for good`}
        explain={explainText}
        onConfirm={async () => {
          await vault.accounts.forgetLost(address)
          forgetUnconfirmedCode(address)
          announce(t`Forgotten`, t`Nothing of that vault is left in this browser.`)
        }}
      >
        {mirror === 'none' ? (
          <p>
            <Trans>
              This browser stops asking for it. A backup file can still bring it back, here or elsewhere.
            </Trans>
          </p>
        ) : (
          <p>
            <Trans>
              The second copy is deleted: it is the last one in this browser. Without a backup file, no one
              can bring its keys back.
            </Trans>
          </p>
        )}
      </ConfirmDialog>
    </Card>
  )
}
