import type { Page } from '@playwright/test'

/** Whether a page's scripts can still reach a text in memory, after a garbage collection. */
export async function heapHolds(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return chunks.join('').includes(text)
}
