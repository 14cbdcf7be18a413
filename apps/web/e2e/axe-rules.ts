// The rules each page must pass: WCAG 2.2 AA and axe's best practices.
import { expect, type Page } from '@playwright/test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'

export const AXE_RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // 24 pixels. Axe leaves this rule out by default.
  rules: { 'target-size': { enabled: true } },
}

/** The rules that depend on colours. Dark mode only needs these: the others were checked in light mode. */
export const COLOUR_RULES: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** A script that adds axe to a document. */
export const AXE_SOURCE = `void (() => { ${axe.source} })()`

type Findings = Pick<AxeResults, 'violations'>

/** What axe found, one line for each rule. */
export const axeFindings = ({ violations }: Findings): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)

/** A script that runs axe in the page. */
export const runAxe = (rules: RunOptions) =>
  `axe.run(document, ${JSON.stringify(rules)}).then(({ violations, passes }) => ({ violations, held: passes.length }))`

/**
 * Checks a page with axe, which is added once to each document. The client has no frames; axe would not check them.
 * @returns what it found, one line for each rule
 */
export async function lookWithAxe(page: Page, rules = AXE_RULES): Promise<readonly string[]> {
  if (page.frames().length > 1) throw new Error('axe is in the page alone, and there is a frame.')
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE_SOURCE)
  const results = await page.evaluate<Findings & { held: number }>(runAxe(rules))
  if (results.held === 0) throw new Error('axe looked at nothing.')
  return axeFindings(results)
}

/**
 * Expects that axe finds nothing in a page.
 * @param page
 * @param what it shows, for the error
 */
export async function expectAccessible(page: Page, what?: string, rules = AXE_RULES): Promise<void> {
  expect(await lookWithAxe(page, rules), what).toEqual([])
}
