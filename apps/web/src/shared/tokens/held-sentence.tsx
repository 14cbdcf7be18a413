import type { StoredToken } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { ListProgress } from '../ui/feedback/list-progress.tsx'
import type { Contacts } from '../words/who.ts'
import { heldCapability } from './capability.ts'
import { GrantSentence } from './stored-sentence.tsx'
import type { BasisState } from './use-basis.ts'

interface HeldSentenceProps {
  stored: StoredToken
  /** What was found about its chain. */
  found: BasisState
  contacts: Contacts
}

/** What a held token gives, along its whole chain: its last link alone may be wider, or end later. */
export function HeldSentence({ stored, found, contacts }: HeldSentenceProps) {
  const held = found.state === 'held' ? found.basis : undefined
  return (
    <div className="rounded-control bg-sunken p-4 text-sm">
      <p className="mb-1 font-medium text-ink-faint">
        <Trans>What you received</Trans>
      </p>
      {found.state === 'reading' ? (
        <ListProgress />
      ) : (
        <GrantSentence cid={stored.cid} capability={heldCapability(stored, held)} contacts={contacts} />
      )}
    </div>
  )
}
