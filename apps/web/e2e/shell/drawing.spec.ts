import type { Browser } from '@playwright/test'
import { NO_ANSWER, whyStuck } from '../drawing.js'
import { expect, running, test } from '../fixtures.js'
import { STOPPED_DRAWING } from '../stopped-drawing.js'

/** Does something while all of a browser's processes of one kind stand still. */
async function whileStopped(browser: Browser, kind: 'GPU' | 'renderer', work: () => Promise<void>) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const stopped = processInfo.filter(({ type }) => type === kind)
  expect(stopped).not.toHaveLength(0)
  for (const { id } of stopped) process.kill(id, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const { id } of stopped) process.kill(id, 'SIGCONT')
  }
}

test('a page that draws is told from one whose browser draws nothing, and from one that does not answer', async ({
  browser,
  page,
}) => {
  // A stopped clock is no reason to say that nothing is drawn.
  await page.clock.install()
  await page.goto('/')
  await running(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  expect(await whyStuck(page)).toBeUndefined()

  await whileStopped(browser, 'GPU', async () => {
    expect(await whyStuck(page, 5_000)).toBe(STOPPED_DRAWING)
  })
  await whileStopped(browser, 'renderer', async () => {
    expect(await whyStuck(page, 1_000)).toBe(NO_ANSWER)
  })
  expect(await whyStuck(page)).toBeUndefined()
})
