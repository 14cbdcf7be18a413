import { Trans, useLingui } from '@lingui/react/macro'
import { Check, X } from 'lucide-react'

/** A pasted key and a grant, question by question. */
export function Comparison() {
  const { t } = useLingui()
  const rows: readonly (readonly [question: string, pasted: string, granted: string])[] = [
    [t`What it opens`, t`All that you can do`, t`One thing, within the limits you set`],
    [
      t`For how long`,
      t`Until you remember to change it`,
      t`Until a moment you chose; 24 hours unless you say otherwise`,
    ],
    [t`Who can use it`, t`Whoever finds the text`, t`The holder of the one key it is made out to`],
    [t`Passing it on`, t`All of it, unseen`, t`Only narrower, and the whole chain shows in the token`],
    [t`Taking it back`, t`Change the password, for everyone`, t`Revoke that one; the rest goes on`],
    [t`Knowing what is out there`, t`No record`, t`A list of every grant, on a line of time`],
  ]
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
      <table className="w-full text-left text-sm max-sm:block">
        <caption className="sr-only">
          <Trans>A pasted key and a grant compared</Trans>
        </caption>
        <thead className="border-line border-b bg-raised max-sm:sr-only">
          <tr>
            <td className="p-4" />
            <th scope="col" className="p-4 font-semibold text-ink-soft">
              <Trans>A pasted API key or password</Trans>
            </th>
            <th scope="col" className="p-4 font-semibold text-brass">
              <Trans>A grant of yours</Trans>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {rows.map(([question, pasted, granted]) => (
            <tr key={question} className="max-sm:flex max-sm:flex-col max-sm:gap-2 max-sm:p-4">
              <th scope="row" className="font-medium sm:p-4">
                {question}
              </th>
              <td className="text-ink-soft sm:p-4">
                <span className="flex items-start gap-2">
                  <X className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden /> {pasted}
                </span>
              </td>
              <td className="sm:p-4">
                <span className="flex items-start gap-2">
                  <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> {granted}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
