// What each page is held to: WCAG 2.2 AA, and what axe calls best practice.
import type { AxeResults, RunOptions } from 'axe-core'

export const AXE_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // 24 pixels: axe leaves it out unless it is asked for.
  rules: { 'target-size': { enabled: true } },
}

/** What axe found, a line for each rule. */
export const axeFindings = ({ violations }: Pick<AxeResults, 'violations'>): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
