import { Trans, useLingui } from '@lingui/react/macro'
import { Check, X } from 'lucide-react'

/** A pasted key and a grant, question by question. */
export function Comparison() {
  const { t } = useLingui()
  const rows: readonly (readonly [question: string, pasted: string, granted: string])[] = [
    [t`What it opens`, t`Everything you can do`, t`One thing, within your limits`],
    [t`For how long`, t`Until you change it`, t`Until the date you chose, 24 hours by default`],
    [t`Who can use it`, t`Anyone who finds it`, t`Only the holder you named`],
    [
      t`Passing it on`,
      t`All of it, and you never know`,
      t`Never more than they have, and the token shows who did`,
    ],
    [t`Taking it back`, t`A new password, for everyone`, t`Revoke that grant. The rest keeps working.`],
    [t`Keeping track`, t`No record`, t`A list of every grant and when it expires`],
  ]
  return (
    <table className="w-full text-left max-sm:block">
      <caption className="sr-only">
        <Trans>A pasted key and a grant compared</Trans>
      </caption>
      <thead className="border-ink border-b max-sm:block">
        <tr className="max-sm:flex">
          <td className="py-3 pr-4 max-sm:hidden" />
          <th scope="col" className="py-3 pr-4 font-semibold text-ink-soft sm:w-[35%]">
            {/* Where there are no columns, the signs tell the two apart. */}
            <span className="flex items-start gap-2.5">
              <X className="mt-1 size-4 shrink-0 sm:hidden" aria-hidden />
              <Trans>A password or API key</Trans>
            </span>
          </th>
          <th scope="col" className="py-3 font-semibold sm:w-[40%]">
            <span className="flex items-start gap-2.5">
              <Check className="mt-1 size-4 shrink-0 sm:hidden" aria-hidden />
              <Trans>A grant</Trans>
            </span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-sm:block">
        {rows.map(([question, pasted, granted]) => (
          <tr key={question} className="max-sm:flex max-sm:flex-col max-sm:gap-1.5 max-sm:py-4">
            <th scope="row" className="font-semibold sm:py-3.5 sm:pr-4">
              {question}
            </th>
            <td className="text-ink-soft sm:py-3.5 sm:pr-4">
              <span className="flex items-start gap-2.5">
                <X className="mt-1 size-4 shrink-0" aria-hidden /> {pasted}
              </span>
            </td>
            <td className="sm:py-3.5">
              <span className="flex items-start gap-2.5">
                <Check className="mt-1 size-4 shrink-0" aria-hidden /> {granted}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
