// npm run build && node bench/browser/lighthouse.mjs [path …]: the production build in Lighthouse on its simulated phone, each page as a
// new visitor first sees it. Fails if a score misses its target. Lighthouse has its own folder and is installed when needed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createApp } from '../../apps/web/src/server/app.js'
import { ROUTES } from '../../apps/web/src/server/pages.js'
import { findBrowser } from '../../scripts/browser.mjs'
import { median } from '../measure.mjs'

const FOLDER = join(import.meta.dirname, 'lighthouse')
const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
/** The median of this many runs is used, because a busy machine slows single runs. */
const RUNS = 3

/** The targets for the landing page and for every page. */
const LANDING = { performance: 98, accessibility: 100, 'best practices': 100, 'LCP, ms': 1300, CLS: 0 }
const EVERY = {
  performance: 95,
  accessibility: 100,
  'best practices': 100,
  'LCP, ms': 1800,
  'TBT, ms': 150,
  CLS: 0,
}
/** Lower is better. */
const COSTS = ['LCP, ms', 'TBT, ms', 'CLS']

function install() {
  if (existsSync(join(FOLDER, 'node_modules/lighthouse'))) return
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1' },
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('bench: Lighthouse could not be installed')
}

/** Lighthouse's own entry points, from its own folder. */
async function load() {
  install()
  const require = createRequire(join(FOLDER, 'package.json'))
  const from = (name) => import(pathToFileURL(require.resolve(name)).href)
  const [{ default: lighthouse }, { launch }] = await Promise.all([
    from('lighthouse'),
    from('chrome-launcher'),
  ])
  return { lighthouse, launch }
}

async function scoresOf(lighthouse, url, port) {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
  })
  if (!result || result.lhr.runtimeError)
    throw new Error(`bench: Lighthouse could not measure ${url}: ${result?.lhr.runtimeError?.message ?? ''}`)
  const { categories, audits } = result.lhr
  const score = (name) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name) => {
    const { numericValue, errorMessage } = audits[name] ?? {}
    if (numericValue === undefined) throw new Error(`bench: no ${name} of ${url}: ${errorMessage ?? ''}`)
    return numericValue
  }
  for (const name of ['accessibility', 'best-practices']) {
    const failed = (categories[name]?.auditRefs ?? [])
      .map(({ id }) => audits[id])
      .filter((audit) => audit?.score !== null && audit?.score !== undefined && audit.score < 1)
    for (const audit of failed) console.error(`${url}: ${audit.id}: ${audit.title}`)
  }
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    'FCP, ms': value('first-contentful-paint'),
    'LCP, ms': value('largest-contentful-paint'),
    'TBT, ms': value('total-blocking-time'),
    CLS: value('cumulative-layout-shift'),
  }
}

/** @param {string[]} paths @returns {Promise<Record<string, Record<string, number>>>} Medians, by path. */
async function measure(paths) {
  const { lighthouse, launch } = await load()
  const server = createServer(createApp(CLIENT))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const taken = {}
  try {
    for (const path of paths) {
      const runs = []
      for (let run = 0; run < RUNS; run += 1) {
        // A new browser each time: no one has visited before.
        const chrome = await launch({
          chromePath: findBrowser(),
          chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--lang=en-GB'],
        })
        try {
          runs.push(await scoresOf(lighthouse, `http://localhost:${port}${path}`, chrome.port))
        } finally {
          chrome.kill()
        }
      }
      taken[path] = Object.fromEntries(
        Object.keys(runs[0]).map((name) => [name, median(runs.map((run) => run[name]))]),
      )
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return taken
}

/** Which targets a page misses, in words. */
function missed(path, scores) {
  return Object.entries(path === '/' ? LANDING : EVERY)
    .filter(([name, bar]) => !(COSTS.includes(name) ? scores[name] <= bar : scores[name] >= bar))
    .map(([name, bar]) => `${path}: ${name} is ${scores[name]}, not ${bar}`)
}

const unitOf = (name) => (name.endsWith(', ms') ? 'ms' : name === 'CLS' ? '' : 'of 100')

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  return Object.entries(await measure(ROUTES)).map(([path, scores]) => ({
    title: `Lighthouse 12.8.2, ${path}, on the telephone that it simulates`,
    note: `The bars: ${Object.entries(path === '/' ? LANDING : EVERY)
      .map(([name, bar]) => `${name} ${bar}`)
      .join(', ')}.`,
    rows: Object.entries(scores).map(([name, value]) => ({
      name: name.replace(', ms', ''),
      unit: unitOf(name),
      value,
    })),
  }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const asked = process.argv.slice(2)
  const taken = await measure(asked.length > 0 ? asked : [...ROUTES])
  console.table(taken)
  const short = Object.entries(taken).flatMap(([path, scores]) => missed(path, scores))
  for (const line of short) console.error(line)
  if (short.length > 0) process.exitCode = 1
}
