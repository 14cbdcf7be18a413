import { Trans, useLingui } from '@lingui/react/macro'
import { amount, ratio, times } from './figures-text.ts'
import type { Figure } from './run.ts'

/** The figures side by side. On a phone each row becomes a block. */
export function FiguresTable({ figures }: { figures: readonly Figure[] }) {
  const { i18n, t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="sr-only">
        <Trans>The figures are there.</Trans>
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t`Figures`}
        className="relative overflow-x-auto rounded-control border border-line"
      >
        <table className="w-full min-w-[34rem] text-sm">
          <thead className="bg-sunken text-left text-ink-faint">
            <tr>
              <th scope="col" className="px-4 py-2 font-medium">
                <Trans>What</Trans>
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium">
                Keyhole
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium">
                WebCrypto
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium">
                <Trans>Keyhole against it</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.map((figure) => {
              const { measure, ours, native } = figure
              const against = ratio(figure)
              return (
                <tr key={measure.id} className="border-line border-t">
                  <th scope="row" className="px-4 py-2 text-left font-medium">
                    {i18n._(measure.name)}
                  </th>
                  <td className="whitespace-nowrap px-4 py-2 text-right">{amount(ours, measure.unit)}</td>
                  <td className="whitespace-nowrap px-4 py-2 text-right text-ink-soft">
                    {native === undefined ? '–' : amount(native, measure.unit)}
                  </td>
                  <td className="whitespace-nowrap px-4 py-2 text-right text-ink-soft">
                    {against === undefined ? '–' : times(against)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      <p className="max-w-prose text-ink-faint text-sm">
        <Trans>
          Median of three samples. Ours go to a worker and back as JSON; the browser’s get bytes directly. A
          dash: the browser has no such function.
        </Trans>
      </p>
    </div>
  )
}
