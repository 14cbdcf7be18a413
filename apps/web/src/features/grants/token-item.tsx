import type { StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Facts } from '../../components/facts.tsx'
import { announce } from '../../components/toast.tsx'
import { setDraft } from '../common/drafts.ts'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { CHECK_DRAFT } from '../inspect/draft.ts'
import { exactJson } from '../policy/json.ts'
import { explainText } from '../words/refusal.ts'
import { Sentence } from '../words/sentence.tsx'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'
import { isGiven, storedCapability, storedStanding } from './capability.ts'
import { StandingBadge } from './standing-badge.tsx'

interface TokenItemProps {
  stored: StoredToken
  now: number
  open: boolean
  onToggle: () => void
  /** Begins narrowing it; absent where it cannot be. */
  onNarrow?: (() => void) | undefined
}

const KINDS: Readonly<Record<string, string>> = {
  origin: 'granted from your own key',
  attenuated: 'narrowed and passed on',
  received: 'given to you',
}

/** One stored token: its sentence, when it ends, and everything about it once opened. */
export function TokenItem({ stored, now, open, onToggle, onNarrow }: TokenItemProps) {
  const acquaintance = useAcquaintance()
  const standing = storedStanding(stored, now)
  return (
    <li className="rounded-control border border-line bg-raised">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-4">
        <div className="min-w-0 flex-1 basis-64">
          {stored.label ? <p className="font-semibold">{stored.label}</p> : null}
          <Sentence
            capability={storedCapability(stored)}
            acquaintance={acquaintance}
            className={standing === 'ended' ? 'text-ink-faint' : 'text-ink-soft'}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <StandingBadge
              standing={standing}
              expiresAt={stored.expiresAt}
              notBefore={stored.notBefore}
              now={now}
            />
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {onNarrow && standing !== 'ended' ? (
            <Button size="small" onClick={onNarrow}>
              Narrow and pass on
            </Button>
          ) : null}
          <Button size="small" tone="bare" aria-expanded={open} onClick={onToggle}>
            {open ? 'Hide details' : 'Details'}
          </Button>
        </div>
      </div>
      {open ? <Details stored={stored} /> : null}
    </li>
  )
}

function Details({ stored }: { stored: StoredToken }) {
  const vault = useVault()
  const [removing, setRemoving] = useState(false)
  return (
    <div className="flex flex-col gap-4 border-line border-t p-4">
      <Facts
        facts={[
          ['Kind', KINDS[stored.type] ?? stored.type],
          ['From', <DidText key="from" text={stored.issuer} what="the issuer’s DID" />],
          ['To', <DidText key="to" text={stored.audienceDid ?? stored.audience} what="the audience’s DID" />],
          stored.subject === null
            ? ['Subject', 'whoever grants it to the issuer']
            : ['Subject', <DidText key="subject" text={stored.subject} what="the subject’s DID" />],
          ['Command', <code key="command">{stored.command}</code>],
          [
            'Policy',
            <code key="policy" className="whitespace-pre-wrap break-all">
              {exactJson(stored.policy)}
            </code>,
          ],
          ['CID', <DidText key="cid" text={stored.cid} what="the CID" />],
          stored.notBefore === undefined ? undefined : ['From when', moment(stored.notBefore)],
          ['Until', stored.expiresAt === undefined ? 'without end' : moment(stored.expiresAt)],
          ['Stored', moment(stored.createdAt)],
        ]}
      />
      <CodeBlock label="token" text={stored.token} wrap />
      <div className="flex flex-wrap gap-2">
        <Link
          to="/identity"
          search={{ tab: 'check' }}
          onClick={() => setDraft(CHECK_DRAFT, stored.token)}
          className={buttonClass('quiet', 'small')}
        >
          Check it
        </Link>
        <Button size="small" tone="bare" onClick={() => setRemoving(true)}>
          Remove from this vault
        </Button>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Remove this token from the vault?"
        phrase={shorten(stored.cid, 4, 6)}
        action="Remove it"
        explain={explainText}
        onConfirm={async () => {
          await vault.removeToken(stored.id)
          announce('Token removed', 'Its copy in this vault is gone.')
        }}
      >
        <p>
          Your copy of its text and its label go.{' '}
          {isGiven(stored) ? 'Whoever has the text can still use it until it ends.' : null}
        </p>
      </ConfirmDialog>
    </div>
  )
}
