import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { formatTag } from '../../../shared/language/language.ts'
import type { Figure } from './run.ts'

/** A figure with its unit, in the reader's number format. */
export function amount(value: number, unit: 'rate' | 'ms'): string {
  const number = new Intl.NumberFormat(formatTag(), { maximumSignificantDigits: 3 }).format(value)
  return unit === 'rate' ? t`${number} a second` : t`${number} ms`
}

/** Our speed relative to the browser's own: 2 is twice as fast. */
export function ratio({ measure, ours, native }: Figure): number | undefined {
  if (native === undefined) return undefined
  return measure.unit === 'rate' ? ours / native : native / ours
}

/** A ratio in words. */
export function times(value: number): string {
  const number = new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 2 }).format(value)
  return t`${number} ×`
}

/** All figures as a Markdown table, with the system they were measured on. */
export function figuresText(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { measure, ours, native } = figure
    const against = ratio(figure)
    return [
      i18n._(measure.name),
      amount(ours, measure.unit),
      native === undefined ? '–' : amount(native, measure.unit),
      against === undefined ? '–' : times(against),
    ]
  })
  const head = [t`What`, 'Keyhole', 'WebCrypto', t`Keyhole against it`]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `${navigator.userAgent}, ${navigator.hardwareConcurrency} × CPU`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n')
}
