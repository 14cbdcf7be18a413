import { useVaultSnapshot } from '@keyhole/vault-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Notice } from '../../components/notice.tsx'
import { sizeWords } from '../../components/too-long.ts'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { useNow } from '../common/use-now.ts'
import { distance } from '../words/when.ts'
import { useStorage } from './use-storage.ts'

const MIRROR = {
  whole: { tone: 'good', words: 'up to date' },
  behind: { tone: 'warn', words: 'behind' },
  unavailable: { tone: 'warn', words: 'not possible here' },
} as const

/** Whether the browser promises to keep the vault, how much room there is, and how the second copy stands. */
export function StorageHealthCard() {
  const { address } = useVaultSnapshot()
  const { health, failed, ask } = useStorage()
  const now = useNow()
  const [refused, setRefused] = useState(false)
  const request = useAction(async () => setRefused(!(await ask())))
  const persisted = health?.persisted
  return (
    <Card
      title="Storage of this browser"
      description="A vault is kept twice here: in the browser’s database, and as a second copy beside it in case that breaks. Both go when the site’s data is cleared: a backup file does not."
    >
      <div className="flex flex-col gap-4">
        <Failure error={failed} />
        <Facts
          facts={[
            ['Kept', kept(persisted)],
            health === undefined || address === undefined
              ? undefined
              : [
                  'Second copy',
                  <span key="mirror" className="inline-flex flex-wrap items-center gap-2">
                    <Badge tone={MIRROR[health.mirror].tone}>{MIRROR[health.mirror].words}</Badge>
                    {health.mirroredAt === undefined ? null : (
                      <span className="text-ink-faint">written {distance(health.mirroredAt, now)}</span>
                    )}
                  </span>,
                ],
            health?.usage === undefined ? undefined : ['In use', sizeWords(health.usage)],
            health?.quota === undefined ? undefined : ['Room', sizeWords(health.quota)],
          ]}
        />
        {health !== undefined && address !== undefined && health.mirror !== 'whole' ? (
          <Notice tone="warn" title="The second copy does not have everything.">
            {health.reason ? `${health.reason} ` : ''}
            The vault itself is whole. Until the copy catches up, a backup file is your safety.
          </Notice>
        ) : null}
        {persisted === false ? (
          <Button className="self-start" onClick={() => request.run()} busy={request.pending}>
            Ask the browser to keep it
          </Button>
        ) : null}
        {refused && persisted === false ? (
          <Notice tone="warn" title="The browser said no.">
            Browsers grant it to sites that are used often, bookmarked or installed. Until then a backup file
            is your safety.
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}

function kept(persisted: boolean | undefined): ReactNode {
  if (persisted === undefined) return 'the browser does not say'
  return persisted ? (
    <Badge tone="good">until you remove it</Badge>
  ) : (
    <Badge tone="warn">may be cleared when room runs out</Badge>
  )
}
