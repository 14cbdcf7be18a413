import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { exactJson } from '../../shared/policy/json.ts'
import { isGiven } from '../../shared/tokens/capability.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { RevocationText } from '../../shared/tokens/revocation-text.tsx'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { moment } from '../../shared/words/when.ts'
import { ChainList } from './chain-list.tsx'
import { RevokeToken } from './revoke-token.tsx'

const KINDS = {
  origin: msg`granted from your own key`,
  attenuated: msg`narrowed and passed on`,
  received: msg`given to you`,
} as const

function isListedKind(type: string): type is keyof typeof KINDS {
  return Object.hasOwn(KINDS, type)
}

interface TokenDetailsProps {
  stored: ListedToken
  /** It was removed: the focus has to go elsewhere. */
  onRemoved: () => void
}

/** Everything about a stored token, and what can be done with it for good. */
export function TokenDetails({ stored, onRemoved }: TokenDetailsProps) {
  const { t, i18n } = useLingui()
  return (
    <div className="flex flex-col gap-5 pb-6 sm:pl-12">
      <Facts
        facts={[
          [t`Kind`, isListedKind(stored.type) ? i18n._(KINDS[stored.type]) : stored.type],
          [t`From`, <ContactName key="from" did={stored.issuer} what={t`the issuer’s DID`} />],
          [
            t`To`,
            <ContactName key="to" did={stored.audienceDid ?? stored.audience} what={t`the audience’s DID`} />,
          ],
          stored.subject === null
            ? [t`Subject`, t`whoever grants it to the issuer`]
            : [t`Subject`, <ContactName key="subject" did={stored.subject} what={t`the subject’s DID`} />],
          [t`Command`, <code key="command">{stored.command}</code>],
          [
            t`Policy`,
            <code key="policy" className="whitespace-pre-wrap break-all">
              {exactJson(stored.policy)}
            </code>,
          ],
          [t`CID`, <DidText key="cid" text={stored.cid} what={t`the CID`} />],
          stored.notBefore === undefined ? undefined : [t`From when`, moment(stored.notBefore)],
          [t`Until`, stored.expiresAt === undefined ? t`without end` : moment(stored.expiresAt)],
          [t`Stored`, <TimeText key="stored" at={stored.createdAt} />],
        ]}
      />
      <ChainList stored={stored} />
      <HandOver text={stored.token} label={t`token`} what={t`the token`} />
      <Acts stored={stored} onRemoved={onRemoved} />
    </div>
  )
}

function Acts({ stored, onRemoved }: TokenDetailsProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const [revoking, setRevoking] = useState(false)
  const [folded, setFolded] = useState(false)
  const unlocked = phase === 'unlocked'
  const remove = useAction(async () => {
    const { id } = stored
    await vault.tokens.remove(id)
    onRemoved()
    announce(
      t`Removed from this vault`,
      isGiven(stored) && !stored.revoked
        ? t`Whoever has its text can still use it until it ends. To end it now, revoke it instead.`
        : t`Its text and its name are gone from here.`,
      { undo: () => vault.tokens.restore(id) },
    )
  })
  return (
    <>
      {stored.revoked && unlocked && !folded ? <RevocationText cid={stored.cid} /> : null}
      <Failure error={remove.error} />
      <div className="flex flex-wrap gap-2">
        {isGiven(stored) ? (
          // One button for both, so that the focus stays on it when the dialog has done its work.
          <Button
            size="small"
            tone={stored.revoked ? 'quiet' : 'danger'}
            disabled={!unlocked}
            title={unlocked ? undefined : t`Unlock to revoke it`}
            aria-expanded={stored.revoked ? !folded : undefined}
            onClick={() => (stored.revoked ? setFolded(!folded) : setRevoking(true))}
          >
            {stored.revoked ? (folded ? t`Show the revocation` : t`Hide the revocation`) : t`Revoke…`}
          </Button>
        ) : null}
        <Link
          to="/identity"
          search={{ tab: 'check' }}
          onClick={() => setDraft(CHECK_DRAFT, stored.token)}
          className={buttonClass('quiet', 'small')}
        >
          <Trans>Check it</Trans>
        </Link>
        <Button size="small" tone="bare" onClick={() => remove.run()} busy={remove.pending}>
          <Trans>Remove from this vault</Trans>
        </Button>
      </div>
      <RevokeToken stored={stored} open={revoking} onOpenChange={setRevoking} />
    </>
  )
}
