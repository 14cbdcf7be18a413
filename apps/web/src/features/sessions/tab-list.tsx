import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { AppWindow } from 'lucide-react'
import { useRef } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { hasSharedEnclave } from '../../shared/vault/shared-enclave.ts'
import { nearMoment } from '../../shared/words/when.ts'

/** The tabs of this browser that have the account open. */
export function TabList() {
  const { t } = useLingui()
  const vault = useVault()
  const now = useNow()
  const { tabs, phase } = useVaultSnapshot()
  const list = useRef<HTMLUListElement>(null)
  const others = tabs.filter(({ here }) => !here)
  const end = useAction(async (id: string) => {
    list.current?.focus()
    await vault.tabs.end(id)
    announce(t`Tab ended`, t`It has left this vault. It can open it again.`)
  })
  const endOthers = useAction(async () => {
    list.current?.focus()
    const ended = await vault.tabs.endOthers()
    announce(
      plural(ended, { one: '# tab ended', other: '# tabs ended' }),
      t`This one is the only one left that has the vault open.`,
    )
  })
  return (
    <Card
      title={t`Open tabs`}
      description={
        hasSharedEnclave()
          ? phase === 'unlocked'
            ? t`Tabs of this browser that have this vault open. They lock and unlock together. All of them are unlocked now.`
            : t`Tabs of this browser that have this vault open. They lock and unlock together. All of them are locked now.`
          : t`Tabs of this browser that have this vault open. They lock together, but in this browser you unlock each on its own.`
      }
      actions={
        others.length > 1 ? (
          <Button size="small" onClick={() => endOthers.run()} busy={endOthers.pending}>
            <Trans>End all others</Trans>
          </Button>
        ) : null
      }
    >
      <div className="flex flex-col gap-3">
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t`Open tabs`}
          className="flex flex-col divide-y divide-line outline-none"
        >
          {tabs.map(({ id, openedAt, here }) => {
            const when = nearMoment(openedAt, now)
            return (
              <li key={id} className="flex flex-wrap items-center gap-3 py-3">
                <AppWindow className="size-5 shrink-0 text-ink-faint" aria-hidden />
                <div className="min-w-0 flex-1 basis-40">
                  <p className="font-medium">{here ? t`This tab` : t`Another tab, opened ${when}`}</p>
                  <details className="text-ink-soft text-sm">
                    <summary className="reach min-h-6 w-fit cursor-pointer rounded-sm hover:text-ink">
                      <Trans>Details</Trans>
                    </summary>
                    <p>
                      <Trans>
                        Activity calls it <code>{id}</code>. Opened <TimeText at={openedAt} />.
                      </Trans>
                    </p>
                  </details>
                </div>
                {here ? null : (
                  <Button
                    size="small"
                    aria-label={t`End tab, opened ${when}`}
                    onClick={() => end.run(id)}
                    busy={end.pending}
                  >
                    <Trans>End</Trans>
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
        <Failure error={end.error ?? endOthers.error} />
        <p className="text-ink-soft text-sm">
          {others.length === 0 ? (
            <Trans>No other tab has this vault open.</Trans>
          ) : (
            <Trans>
              When you end a tab, it loses access at once. To wipe the keys from memory in every tab, lock the
              vault.
            </Trans>
          )}
        </p>
      </div>
    </Card>
  )
}
