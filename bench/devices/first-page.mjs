// What devices add to the page that everyone gets: the built client, compared with a build of the same sources in which everything about devices
// is an empty module.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { run } from './run-tests.mjs'

const WEB = join(import.meta.dirname, '../../apps/web')
/** Bytes. */
const BAR = 2_000

/** The digests of scripts about devices, which the page has of every script. Empty ones have some too. */
const DIGESTS = /"\/assets\/device[\w-]*\.js":"[^"]+",?/g

/**
 * Everything that index.html loads before a person does anything, and index.html itself.
 * @param {string} folder @param {boolean} [hasNone] whether the page is to be without devices
 */
function firstPage(folder, hasNone = false) {
  const whole = readFileSync(join(folder, 'index.html'), 'utf8')
  const page = hasNone ? whole.replaceAll(DIGESTS, '') : whole
  const paths = new Set([...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path ?? ''))
  const length = (/** @type {Buffer | string} */ content) => brotliCompressSync(content).length
  const scripts = [...paths].map((path) => length(readFileSync(join(folder, path))))
  return { page: length(page), scripts: scripts.reduce((sum, each) => sum + each, 0) }
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  if (!existsSync(join(WEB, 'dist/index.html'))) return []
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  try {
    // The build also writes which script has which module; size-check reads that of the real one.
    cpSync(join(WEB, '.vite'), join(folder, 'vite'), { recursive: true })
    const config = join(import.meta.dirname, 'without-devices.config.ts')
    const args = [
      'vite',
      'build',
      '--config',
      config,
      '--outDir',
      join(relative(WEB, folder), 'dist'),
      '--logLevel',
      'error',
    ]
    const { code, said } = await run('npx', args, {}, WEB)
    cpSync(join(folder, 'vite'), join(WEB, '.vite'), { recursive: true })
    if (code !== 0) throw new Error(`bench: the client without devices was not built: ${said}`)
    const [ours, without] = [firstPage(join(WEB, 'dist')), firstPage(join(folder, 'dist'), true)]
    return [
      {
        title: 'What devices add to the first page, brotli',
        note: `index.html, and every script that it loads. Bar: ${BAR} bytes.`,
        rows: [
          { name: 'index.html', unit: 'bytes', value: ours.page - without.page },
          { name: 'its scripts', unit: 'bytes', value: ours.scripts - without.scripts },
          {
            name: 'together',
            unit: 'bytes',
            value: ours.page + ours.scripts - without.page - without.scripts,
          },
        ],
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
