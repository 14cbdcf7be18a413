// Bytes of JavaScript that index.html loads, including static imports. Needs a built client.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from '../../scripts/checks/size-check.mjs'

/** React 19 with Router, Query and six lazy routes, and nothing else. */
const BARE = { gzip: 101_500, brotli: 88_600 }

export async function figures() {
  if (!existsSync(join(import.meta.dirname, '../../apps/web/dist/index.html'))) return []
  const { gzip, brotli } = (await measure())['initial JavaScript']
  const figure = (coding, ours, bare) => ({
    title: `The client's initial JavaScript, ${coding}`,
    note: 'Beside the same framework with nothing of a product in it.',
    better: 'less',
    rows: [
      { name: 'Keyhole', unit: 'bytes', value: ours },
      { name: 'React 19, Router and Query, six empty routes', unit: 'bytes', value: bare },
    ],
  })
  return [figure('brotli', brotli, BARE.brotli), figure('gzip', gzip, BARE.gzip)]
}
