import { useTokens, useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DidText } from '../../components/did-text.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Progress } from '../../components/progress.tsx'
import { UnlockForm } from '../account/unlock-form.tsx'
import { Failure } from '../common/failure.tsx'
import { useNow } from '../common/use-now.ts'
import { byNextEnd, isGiven, storedStanding } from '../grants/capability.ts'
import { shorten } from '../words/who.ts'
import { Attention } from './attention.tsx'
import { Timeline } from './timeline.tsx'

/** How the vault stands: who you are, what is out there, what needs attention. */
export function Dashboard() {
  const { phase, label, address, issuerDid } = useVaultSnapshot()
  const { loading, tokens, error } = useTokens()
  const now = useNow()
  const open = phase === 'unlocked'
  const live = tokens
    .filter((token) => isGiven(token) && storedStanding(token, now) !== 'ended')
    .sort(byNextEnd(now))
  return (
    <>
      <PageHeader
        title={label ?? 'Your vault'}
        actions={
          <>
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              New grant
            </Link>
            <Link to="/identity" search={{ tab: 'received' }} className={buttonClass()}>
              Take in a token
            </Link>
          </>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card
            title="You"
            actions={<Badge tone={open ? 'brass' : 'plain'}>{open ? 'Unlocked' : 'Locked'}</Badge>}
          >
            <div className="flex flex-col gap-5">
              <Facts
                facts={[
                  issuerDid === undefined
                    ? undefined
                    : [
                        'DID',
                        <DidText
                          key="did"
                          text={issuerDid}
                          shown={shorten(issuerDid, 10, 8)}
                          what="your DID"
                        />,
                      ],
                  address === undefined
                    ? undefined
                    : [
                        'Address',
                        <DidText
                          key="address"
                          text={address}
                          shown={shorten(address, 10, 8)}
                          what="your address"
                        />,
                      ],
                ]}
              />
              {open ? null : <UnlockForm />}
            </div>
          </Card>
          <Attention tokens={tokens} now={now} />
        </div>
        <Card
          title="Out there"
          description="The keys you gave away that still open something, the next to end first."
        >
          <Failure error={error} />
          {loading ? (
            <Progress label="Reading what is stored…" value={null} />
          ) : live.length === 0 ? (
            <EmptyState
              title="Nobody holds a key of yours"
              actions={
                <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass()}>
                  Grant something
                </Link>
              }
            >
              Grant an app, a device or an agent one thing it may do, and see here until when.
            </EmptyState>
          ) : (
            <Timeline tokens={live} now={now} />
          )}
        </Card>
      </div>
    </>
  )
}
