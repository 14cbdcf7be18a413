import type { MirrorFailure, StorageHealth } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { Term } from '../../shared/glossary/term.tsx'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { StorageMeter } from './storage-meter.tsx'
import { useStorage } from './use-storage.ts'

const MIRROR = {
  whole: { tone: 'good', words: msg`up to date` },
  writing: { tone: 'plain', words: msg`being written` },
  behind: { tone: 'warn', words: msg`behind` },
  unavailable: { tone: 'warn', words: msg`none` },
  alone: { tone: 'warn', words: msg`the only copy` },
} as const

/** Why the second copy is not what it should be. */
const WHY: Readonly<Record<MirrorFailure, MessageDescriptor>> = {
  full: msg`This browser has no space left for it. Free some space, then save it again.`,
  refused: msg`The browser didn’t let Keyhole save it. Try again. If that fails too, restart the browser.`,
  unsupported: msg`This browser gives Keyhole no place to keep one.`,
  closed: msg`Keyhole isn’t keeping one right now. Reload the page.`,
}

/** Whether the browser promises to keep the vault, how much room there is, and how the second copy stands. */
export function StorageHealthCard() {
  const { t } = useLingui()
  const { address } = useVaultSnapshot()
  const { health, failed, ask, renew } = useStorage()
  const [refused, setRefused] = useState(false)
  const request = useAction(async () => {
    const granted = await ask()
    setRefused(!granted)
    if (granted) announce(t`The browser keeps it`, t`Until you remove it yourself.`)
  })
  const { persisted, usage, quota } = health ?? {}
  return (
    <Card
      title={t`Storage in this browser`}
      description={
        <>
          {health?.why === 'unsupported' ? (
            <Trans>
              Your vault is saved only once in this browser, in its database. Clearing site data deletes it,
              but not a backup file.
            </Trans>
          ) : (
            <Trans>
              Your vault is saved twice in this browser: in its database, and in a second copy. Clearing site
              data deletes both, but not a backup file.
            </Trans>
          )}{' '}
          <Term of="secondCopy">
            <Trans>What’s the second copy?</Trans>
          </Term>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Failure error={failed} />
        <Facts
          facts={[
            [t`Protected from deletion`, persistence(persisted)],
            health === undefined || address === undefined
              ? undefined
              : [t`Second copy`, <SecondCopy key="mirror" health={health} />],
            usage === undefined || quota === undefined
              ? undefined
              : [t`Space`, <StorageMeter key="room" usage={usage} quota={quota} />],
          ]}
        />
        {health !== undefined && address !== undefined ? <CopyTrouble health={health} renew={renew} /> : null}
        <Failure error={request.error} />
        {persisted === false ? (
          <Button className="self-start" onClick={() => request.run()} busy={request.pending}>
            {refused ? (
              <Trans>Ask the browser again</Trans>
            ) : (
              <Trans>Ask the browser to keep your vault</Trans>
            )}
          </Button>
        ) : null}
        {refused && persisted === false ? (
          <Notice tone="warn" title={t`The browser said no.`}>
            <Trans>
              Browsers do this for sites you use often, bookmark or install. Until then, a backup file keeps
              your vault safe.
            </Trans>
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}

/** What the second copy lacks, why, and what can be done about it. */
function CopyTrouble({
  health: { mirror, why },
  renew,
}: {
  health: StorageHealth
  renew: () => Promise<boolean>
}) {
  const { t, i18n } = useLingui()
  const repair = useAction(async () => {
    if (await renew()) announce(t`Second copy written`)
  })
  if (mirror !== 'behind' && mirror !== 'unavailable') return null
  const isMissing = mirror === 'unavailable'
  const canRenew = why !== 'unsupported' && why !== 'closed'
  return (
    <Notice
      tone="warn"
      title={isMissing ? t`There is no second copy.` : t`The second copy is missing the latest changes.`}
      actions={
        canRenew ? (
          <Button size="small" onClick={() => repair.run()} busy={repair.pending}>
            <Trans>Save it again</Trans>
          </Button>
        ) : undefined
      }
    >
      {why === undefined ? null : <>{i18n._(WHY[why])} </>}
      {isMissing ? (
        <Trans>The vault itself is intact. A backup file keeps it safe.</Trans>
      ) : (
        <Trans>The vault itself is intact. Until the copy catches up, a backup file keeps it safe.</Trans>
      )}
      <Failure error={repair.error} />
    </Notice>
  )
}

function SecondCopy({ health: { mirror, mirroredAt } }: { health: StorageHealth }) {
  const { i18n } = useLingui()
  const { tone, words } = MIRROR[mirror]
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{i18n._(words)}</Badge>
      {mirroredAt === undefined ? null : (
        <span className="text-ink-faint">
          <Trans>
            written <TimeText at={mirroredAt} />
          </Trans>
        </span>
      )}
    </span>
  )
}

function persistence(persisted: boolean | undefined): ReactNode {
  if (persisted === undefined) return <Trans>the browser doesn’t say</Trans>
  return persisted ? (
    <Badge tone="good">
      <Trans>until you remove it</Trans>
    </Badge>
  ) : (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone="warn">
        <Trans>not guaranteed</Trans>
      </Badge>
      <span className="text-ink-faint">
        <Trans>may be deleted when space runs out</Trans>
      </span>
    </span>
  )
}
