import { Trans, useLingui } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { Term } from '../../shared/glossary/term.tsx'
import type { Report } from '../../shared/tokens/report.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** The chain that a grant came from, from the owner down to its holder. */
export function ChainCard({ report: { links }, type }: { report: Report; type: string }) {
  const { t } = useLingui()
  const contacts = useContacts()
  return (
    <Card
      title={t`Where it came from`}
      actions={
        <Term of="chain">
          <Trans>What’s a chain?</Trans>
        </Term>
      }
    >
      {links.length < 2 && type === 'origin' ? (
        <p className="text-ink-soft text-sm">
          <Trans>You granted it with your own key. The chain starts with you.</Trans>
        </p>
      ) : (
        <ol
          aria-label={t`The chain, from its owner down`}
          className="flex flex-col gap-3 border-line-strong border-l-2 pl-4 text-sm"
        >
          {links.map(({ cid, capability, fault, kind }) => (
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
      )}
    </Card>
  )
}
