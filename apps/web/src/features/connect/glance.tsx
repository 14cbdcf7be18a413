import { useLingui } from '@lingui/react/macro'
import { Card } from '../../components/card.tsx'
import { useNow } from '../common/use-now.ts'
import { Answers } from './answers.tsx'
import { CapabilityView } from './capability-view.tsx'
import { endingAt } from './ending.ts'
import type { CapabilityRequest } from './request.ts'
import { RequestHeading } from './request-heading.tsx'
import { useAsked } from './use-asked.ts'

/** What is asked, to be read while the vault that answers it is fetched. Everything else waits for that. */
export function Glance() {
  const [asked] = useAsked()
  if (asked.state !== 'asked' || asked.request.kind !== 'capability') return null
  return (
    <>
      <RequestHeading origin={asked.origin} />
      <Capability request={asked.request} />
    </>
  )
}

function Capability({ request }: { request: CapabilityRequest }) {
  const { t } = useLingui()
  const now = useNow()
  const { policy } = request
  return (
    <Card title={t`What it wants`}>
      <form className="flex flex-col gap-5" noValidate>
        <CapabilityView
          {...{ request, policy, issuer: '', own: new Set<string>(), isRead: true }}
          expiresAt={endingAt('asked', request.expiresIn, now)}
        />
        <Answers armed={false} granting={false} />
      </form>
    </Card>
  )
}
