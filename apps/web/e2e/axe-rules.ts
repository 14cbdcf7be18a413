// What each page is held to: WCAG 2.2 AA, and what axe calls best practice.
import type { Page } from '@playwright/test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'

export const AXE_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // 24 pixels: axe leaves it out unless it is asked for.
  rules: { 'target-size': { enabled: true } },
}

/** Those of them that colours decide: what else was held in light is held in dark. */
export const COLOUR_RULES: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** Puts axe into a document, as a script that is run there. */
export const AXE_SOURCE = `void (() => { ${axe.source} })()`

type Findings = Pick<AxeResults, 'violations'>

/** What axe found, a line for each rule. */
export const axeFindings = ({ violations }: Findings): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)

/** The script that runs axe where it is. */
export const runAxe = (rules: RunOptions) =>
  `axe.run(document, ${JSON.stringify(rules)}).then(({ violations, passes }) => ({ violations, held: passes.length }))`

/**
 * Looks at a page with axe, which is put into each document once. The client has no frames; were there one, it would not be looked at.
 * @returns what it found, a line for each rule
 */
export async function lookWithAxe(page: Page, rules = AXE_RULES): Promise<readonly string[]> {
  if (page.frames().length > 1) throw new Error('axe is in the page alone, and there is a frame.')
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE_SOURCE)
  const results = await page.evaluate<Findings & { held: number }>(runAxe(rules))
  if (results.held === 0) throw new Error('axe looked at nothing.')
  return axeFindings(results)
}
