import type { LimitedState, VaultDevices } from '@keyhole/vault/devices'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { isOut } from './is-out.ts'
import { LeaveLimited } from './leave-limited.tsx'
import { DevicesStanding } from './waiting-words.tsx'

interface LimitedPanelProps {
  limited: LimitedState
  devices: VaultDevices
}

/** A vault that is a limited device of another one: what it may do, until when, and whether it still is one. */
export function LimitedPanel({ limited, devices }: LimitedPanelProps) {
  const { t } = useLingui()
  const { waitsFor, lastRead, relay } = limited
  const isOver = isOut(limited)
  return (
    <div className="flex flex-col gap-6">
      {isOver ? (
        <Notice tone="warn" title={t`This is no longer a limited device of the other vault.`}>
          <p>
            <Trans>
              The other vault has removed it. This vault, its key and its grants stay here. A grant that
              wasn’t revoked still works.
            </Trans>
          </p>
        </Notice>
      ) : waitsFor === 'unnamed' ? null : (
        <Notice tone="good" title={t`This is a limited device of another vault.`}>
          <p>
            <Trans>
              It has none of that vault’s keys, grants or contacts. It can do only what that vault grants to
              the key of this one.
            </Trans>
          </p>
        </Notice>
      )}
      {isOver || waitsFor === undefined ? null : (
        <DevicesStanding state={limited} onRetry={() => void devices.retry().catch(() => undefined)} />
      )}
      <MayDo />
      <Card level={3} title={t`Relay`}>
        <p className="text-ink-soft text-sm">
          <Trans>
            This vault asks <strong className="wrap-anywhere">{relay}</strong> whether it’s still a limited
            device.
          </Trans>{' '}
          {lastRead === undefined ? null : (
            <Trans>
              Last checked <TimeText at={lastRead} />.
            </Trans>
          )}
        </p>
      </Card>
      <LeaveLimited limited={limited} devices={devices} />
    </div>
  )
}

/** What the key of this vault was granted, and until when. */
function MayDo() {
  const { t } = useLingui()
  const { issuerDid = '' } = useVaultSnapshot()
  const { total } = useTokenPage({ list: 'received', live: true, limit: 1 })
  // They are in the order of their ends, those without one at the end.
  const { tokens } = useTokenPage({ list: 'received', live: true, limit: 1, offset: Math.max(total - 1, 0) })
  const last = tokens[0]?.expiresAt
  return (
    <Card level={3} title={t`What it may do`}>
      <div className="flex flex-col items-start gap-4 text-sm">
        <p>
          {total === 0 ? (
            <Trans>
              Nothing yet. Create a grant for this key in the other vault, and open its link here.
            </Trans>
          ) : (
            <>
              <Plural value={total} one="It has # grant." other="It has # grants." />{' '}
              {last === undefined ? (
                <Trans>Some of them never expire.</Trans>
              ) : (
                <Trans>
                  The last one expires <TimeText at={last} />.
                </Trans>
              )}
            </>
          )}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <output className="wrap-anywhere font-mono" aria-label={t`The key of this vault`}>
            {issuerDid}
          </output>
          <CopyButton text={issuerDid} what={t`the key of this vault`} label={t`Copy`} />
        </div>
        <Link to="/identity" search={{ tab: 'received' }} className={buttonClass('quiet', 'small')}>
          <Trans>See what it was granted</Trans>
        </Link>
      </div>
    </Card>
  )
}
