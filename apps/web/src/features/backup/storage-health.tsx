import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Notice } from '../../components/notice.tsx'
import { sizeWords } from '../../components/too-long.ts'
import { useAction } from '../common/use-action.ts'
import { useStorage } from './use-storage.ts'

/** Whether the browser promises to keep the vault, and how much room there is. */
export function StorageHealthCard() {
  const { health, ask } = useStorage()
  const [refused, setRefused] = useState(false)
  const request = useAction(async () => setRefused(!(await ask())))
  const persisted = health?.persisted
  return (
    <Card title="Storage of this browser" level={2}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [
              'Kept',
              persisted === undefined ? (
                'the browser does not say'
              ) : persisted ? (
                <Badge key="kept" tone="good">
                  until you remove it
                </Badge>
              ) : (
                <Badge key="kept" tone="warn">
                  may be cleared when room runs out
                </Badge>
              ),
            ],
            health?.usage === undefined ? undefined : ['In use', sizeWords(health.usage)],
            health?.quota === undefined ? undefined : ['Room', sizeWords(health.quota)],
          ]}
        />
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
