import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useReport } from '../../shared/tokens/use-report.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'

/** The chain of a stored token, from whoever owns it down to whoever holds it. Nothing where it is one link long. */
export function ChainList({ stored }: { stored: StoredToken }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { report, error } = useReport(stored)
  if (error !== undefined) return <Failure error={error} />
  if (!report) {
    return (
      <Slow>
        <Progress label={t`Reading the chain…`} value={null} />
      </Slow>
    )
  }
  if (report.links.length < 2) return null
  return (
    <section aria-label={t`Chain`}>
      <h3 className="mb-2 font-semibold text-sm">
        <Trans>The chain, from its owner down</Trans>
      </h3>
      <ol className="flex flex-col gap-2 border-line-strong border-l-2 pl-4 text-sm">
        {report.links.map(({ cid, capability, fault, kind }) => (
          <li key={cid}>
            {capability ? (
              <GrantSentence
                cid={cid}
                capability={capability}
                contacts={contacts}
                className="text-ink-soft"
              />
            ) : (
              <p className="text-ink-soft">{kind}</p>
            )}
            {fault ? <p className="text-bad">{fault}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  )
}
