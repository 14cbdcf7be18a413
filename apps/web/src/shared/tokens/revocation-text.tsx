import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Term } from '../glossary/term.tsx'
import { useStanding } from '../relay/delivered.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { Slow } from '../ui/feedback/slow.tsx'
import { HandOver } from '../ui/sharing/hand-over.tsx'
import { useVaultQuery } from '../vault/vault-query.ts'
import { moment } from '../words/when.ts'

/** The revocation of a grant, to hand to the services that have to know. */
export function RevocationText({ cid }: { cid: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const standing = useStanding(address, cid)
  const { data, failed } = useVaultQuery('revocations', () => vault.tokens.revocations())
  if (failed) return <Failure error={failed} />
  const revocation = data?.find(({ revokes }) => revokes === cid)
  if (!revocation) {
    return (
      <Slow>
        <Progress label={t`Opening the revocation…`} value={null} />
      </Slow>
    )
  }
  const signed = moment(revocation.createdAt)
  return (
    <div className="flex flex-col gap-3 rounded-control border border-bad/40 p-4">
      <h3 className="font-semibold">
        <Trans>Revoked on {signed}</Trans>
      </h3>
      <p className="text-ink-soft text-sm">
        {standing === 'taken' ? (
          <Trans>Your relay has it. Services that listen there refuse the grant from now on.</Trans>
        ) : standing === 'refused' ? (
          <Trans>Your relay doesn’t take it.</Trans>
        ) : null}{' '}
        <Trans>
          It works only where it’s known: give this text to every service where the grant could be used.
          Anyone can check it offline.
        </Trans>{' '}
        <Term of="revoke">
          <Trans>What does revoking do?</Trans>
        </Term>
      </p>
      <HandOver text={revocation.token} label={t`revocation`} what={t`the revocation`} />
    </div>
  )
}
