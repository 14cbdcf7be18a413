import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { affectedBy, storedTokens } from '../../shared/grant-actions/affected.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { TextButton } from '../../shared/ui/buttons/text-button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'

/** Shown at first. */
const MOST = 10

/** Who has a grant now: its holder, and everyone whose chain through it is stored here. */
export function PassedOn({ stored }: { stored: ListedToken }) {
  const { t } = useLingui()
  const [most, setMost] = useState(MOST)
  const [progress, setProgress] = useState<number | null>(null)
  const { found, error } = useVaultCheck(['passed-on', stored.cid], (vault, left) =>
    affectedBy([stored], storedTokens(vault), left(), (done, of) =>
      setProgress(Math.floor((100 * done) / of)),
    ),
  )
  const others = found?.filter(({ did }) => did !== stored.audienceDid)
  return (
    <Card title={t`Who has it`}>
      <ContactName did={stored.audienceDid} what={t`the holder’s DID`} />
      <h3 className="mt-4 mb-1 font-semibold text-sm">
        <Trans>Passed on to</Trans>
      </h3>
      <Failure error={error} />
      {others === undefined && error === undefined ? (
        <Slow>
          <Progress label={t`Looking for who it was passed on to…`} value={progress} />
        </Slow>
      ) : null}
      {others === undefined ? null : others.length === 0 ? (
        <p className="text-ink-soft text-sm">
          <Trans>No one, as far as this vault knows. It can only know of tokens that were added to it.</Trans>
        </p>
      ) : (
        <>
          <ul aria-label={t`Passed on to`} className="flex flex-col gap-1">
            {others.slice(0, most).map(({ did }) => (
              <li key={did}>
                <ContactName did={did} what={t`the holder’s DID`} />
              </li>
            ))}
          </ul>
          {others.length > most ? (
            <TextButton onClick={() => setMost(most + 5 * MOST)}>
              <Trans>Show more</Trans>
            </TextButton>
          ) : null}
          <p className="mt-2 text-ink-soft text-sm">
            <Trans>There may be more: this vault only knows of tokens that were added to it.</Trans>
          </p>
        </>
      )}
    </Card>
  )
}
