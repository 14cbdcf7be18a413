import { useLingui } from '@lingui/react/macro'
import type { CapabilityRequest } from '../../shared/requests/request.ts'
import { Card } from '../../shared/ui/layout/card.tsx'
import { NOBODY } from '../../shared/words/who.ts'
import { Answers } from './answers.tsx'
import { CapabilityView } from './capability-view.tsx'
import { RequestHeading } from './request-heading.tsx'

/** A request with everything that one can have, so that every part is drawn. */
const ORIGIN = 'https://xn--mnchen-3ya.example'
const REQUEST: CapabilityRequest = {
  kind: 'capability',
  command: '/payment',
  audience: `did:key:${'z'.repeat(48)}`,
  policy: [],
  expiresIn: 60,
  reason: '-',
}

/** The view of a request with empty fields. The build puts it into the page, and `glance.ts` fills it before React is ready. */
export function RequestTemplate() {
  const { t } = useLingui()
  return (
    <>
      <RequestHeading kind={REQUEST.kind} origin={ORIGIN} />
      <Card title={t`What it asks for`}>
        <div className="flex flex-col gap-5">
          <CapabilityView
            {...{
              request: REQUEST,
              policy: REQUEST.policy,
              issuer: '',
              contacts: NOBODY,
              isRead: true,
            }}
            expiresAt={Number.POSITIVE_INFINITY}
          />
          <Answers origin={ORIGIN} granting={false} isLocked />
        </div>
      </Card>
    </>
  )
}
