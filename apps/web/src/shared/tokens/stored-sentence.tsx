import type { StoredToken } from '@keyhole/vault'
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
export function GrantSentence(props: GrantSentenceProps) {
  // The vault is asked for its mandates where one may be meant.
  return props.capability.command === REQUEST ? <Counted {...props} /> : <SentenceView {...props} />
}

function Counted({ cid, capability, ...look }: GrantSentenceProps) {
  const { mandates } = useMandates()
  const mandate = mandates.find((each) => each.cid === cid)
  return (
    <SentenceView
      capability={mandate ? { ...capability, spending: spendingOf(mandate) } : capability}
      {...look}
    />
  )
}
