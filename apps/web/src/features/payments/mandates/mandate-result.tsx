import type { Mandate, StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { GrantResult } from '../../../shared/grant-form/grant-result.tsx'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Result } from '../../../shared/ui/feedback/result.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { mandateCapability } from './mandate-words.ts'

interface MandateResultProps {
  token: StoredToken
  /** Absent where nobody counts. */
  mandate?: Mandate
  onAnother: () => void
}

/** A mandate that was just signed: what it says, and its text for whoever holds it. */
export function MandateResult({ token, mandate, onAnother }: MandateResultProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  if (mandate?.own) {
    return (
      <Result>
        <Card
          title={t`Signed and stored`}
          actions={
            <>
              <Link
                to="/payment"
                search={{ tab: 'mandates', mandate: mandate.cid }}
                className={buttonClass('quiet', 'small')}
              >
                <Trans>See it</Trans>
              </Link>
              <Button size="small" tone="primary" onClick={onAnother}>
                <Trans>New mandate</Trans>
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-4">
            <SentenceView capability={mandateCapability(mandate)} contacts={contacts} />
            <div className="max-w-80">
              <BudgetMeter mandate={mandate} />
            </div>
          </div>
        </Card>
      </Result>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <GrantResult stored={token} contacts={contacts} onAnother={onAnother} another={t`New mandate`} />
      {mandate === undefined ? null : (
        <Notice
          actions={
            <Link to="/identity" search={{ tab: 'requests' }} className={buttonClass('quiet', 'small')}>
              <Trans>Requests</Trans>
            </Link>
          }
        >
          <p>
            <Trans>
              For each payment its holder sends you a request. Once you have countersigned it, the shop can
              check it offline.
            </Trans>
          </p>
        </Notice>
      )}
    </div>
  )
}
