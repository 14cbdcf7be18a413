import type { StoredToken } from '@keyhole/vault'
import type { ReactNode } from 'react'
import type { Capability } from '../grant-words/sentence.ts'
import { SentenceView } from '../grant-words/sentence-view.tsx'
import { spendingOf } from '../grant-words/spending.ts'
import { useMandates } from '../vault/use-sealed-lists.ts'
import { REQUEST } from '../words/payment-commands.ts'
import type { Contacts } from '../words/who.ts'
import { storedCapability } from './capability.ts'

interface StoredSentenceProps {
  stored: StoredToken
  contacts: Contacts
  className?: string
}

/** A stored grant in words, with the budget that this vault counts for it. */
export function StoredSentence({ stored, ...look }: StoredSentenceProps) {
  return <GrantSentence cid={stored.cid} capability={storedCapability(stored)} {...look} />
}

interface GrantSentenceProps {
  cid: string
  capability: Capability
  contacts: Contacts
  className?: string
}

/** A delegation in words, with the budget that this vault counts for it, if it does. */
export function GrantSentence({ cid, capability, ...look }: GrantSentenceProps) {
  return (
    <WithBudget cid={cid} capability={capability}>
      {(counted) => <SentenceView capability={counted} {...look} />}
    </WithBudget>
  )
}

interface WithBudgetProps {
  cid: string
  capability: Capability
  children: (capability: Capability) => ReactNode
}

/** Gives a delegation the budget that this vault counts for it, if it does, for the words about it. */
export function WithBudget(props: WithBudgetProps) {
  // The vault is asked for its mandates where one may be meant.
  return props.capability.command === REQUEST ? <Counted {...props} /> : props.children(props.capability)
}

function Counted({ cid, capability, children }: WithBudgetProps) {
  const { mandates } = useMandates()
  const mandate = mandates.find((each) => each.cid === cid)
  return children(mandate ? { ...capability, spending: spendingOf(mandate) } : capability)
}
