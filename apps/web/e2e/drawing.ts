import type { Page, TestInfo } from '@playwright/test'
import { STOPPED_DRAWING } from './stopped-drawing.js'

/** How long a page may take to answer, or to draw twice, in milliseconds. Far more than a busy machine needs. */
const PATIENCE = 15_000

export const NO_ANSWER = 'page did not answer'

/** What an expression comes to in a page, in a world of its own, where no test has changed the clock. */
async function evaluate(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true })
  await session.detach()
  return result.value
}

/** Whether an expression comes to `true` in time. */
async function says(page: Page, expression: string, patience: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  try {
    return (await Promise.race([evaluate(page, expression), late])) === true
  } finally {
    clearTimeout(timer)
  }
}

const TWO_FRAMES =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))'

/**
 * What is wrong with a page that a click waits for without end: its script lets nothing else run, or its browser draws
 * nothing anymore. In the second case `requestAnimationFrame` never calls back, and Playwright, which waits for two frames
 * before each click, waits until the test's time is over.
 * @param patience how long it may take to answer, and to draw, in milliseconds
 * @returns undefined if the page answers and draws
 */
export async function whyStuck(
  page: Page,
  patience = PATIENCE,
): Promise<typeof STOPPED_DRAWING | typeof NO_ANSWER | undefined> {
  if (!(await says(page, 'true', patience))) return NO_ANSWER
  return (await says(page, TWO_FRAMES, patience)) ? undefined : STOPPED_DRAWING
}

/** Notes on a failed test what `whyStuck` finds in its pages. A page that is closed meanwhile says nothing. */
export async function noteWhyStuck(page: Page, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  for (const each of page.context().pages()) {
    const found = await whyStuck(each).catch(() => undefined)
    if (found) info.annotations.push({ type: found, description: new URL(each.url()).pathname })
  }
}
