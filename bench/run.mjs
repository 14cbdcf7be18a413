// npm run bench: every figure with its rival, in one run. To run just one, name its file: node bench/run.mjs unlock. A folder's name runs all in it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { installRivals } from './rivals/install.mjs'

const FIGURES = [
  'delegations',
  'invocations',
  'known-proofs',
  'in-process',
  'in-a-turn',
  'batch',
  'http/http-check',
  'verify-server',
  'costs',
  'glob',
  'holder',
  'relay',
  'gate/gate',
  'scale/claims',
  'scale/revocation',
  'scale/calls',
  'scale/quorum',
  'ed25519',
  'unlock',
  'browser/unlock-browser',
  'browser/connect-browser',
  'browser/payment-browser',
  'browser/eight-tabs',
  'browser/lock-browser',
  'browser/restore',
  'browser/many-tokens',
  'browser/first-call',
  'browser/grant-browser',
  'browser/first-grant',
  'search',
  'browser/search-browser',
  'start',
  'many-calls',
  'devices/device-histories',
  'devices/device-budgets',
  'devices/device-attacks',
  'devices/device-secrets',
  'devices/add-device',
  'devices/device-change',
  'devices/device-removed',
  'devices/first-page',
  'devices/device-costs',
  'browser/page-size',
  'browser/lighthouse',
  // Last, because it ends the run if the machine is too busy for its limit.
  'browser/background-browser',
]

/** @param {string} path @returns {string} The name of a figure. */
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1)

const asked = process.argv.slice(2)
/** @param {string} path */
const isCalled = (path) => (/** @type {string} */ name) =>
  nameOf(path) === name || path.startsWith(`${name}/`)
const unknown = asked.filter((name) => !FIGURES.some((path) => isCalled(path)(name)))
if (unknown.length > 0) {
  console.error(
    `bench: no figure is called ${unknown.join(', ')}; there are ${FIGURES.map(nameOf).join(', ')}`,
  )
  process.exit(1)
}

if (!installRivals()) throw new Error('bench: the rivals could not be installed: npm ci --prefix bench')

/** @param {number} value */
const number = (value) => value.toLocaleString('en-GB', { maximumFractionDigits: value < 100 ? 1 : 0 })

/**
 * Ours divided by the row's. Empty if the rows aren't rivals.
 * @param {import('./measure.mjs').Figure} figure
 * @param {import('./measure.mjs').Row} row
 */
function ratio({ better, rows: [ours] }, row) {
  return better && ours && row !== ours ? (ours.value / row.value).toFixed(2) : ''
}

/** @param {import('./measure.mjs').Figure} figure */
function table(figure) {
  const lines = figure.rows.map(
    (row) => `| ${row.name} | ${number(row.value)} ${row.unit} | ${ratio(figure, row)} |`,
  )
  const note = figure.note ? `\n${figure.note}\n` : ''
  return `## ${figure.title}\n${note}\n| | | ${figure.better ? `ours ÷ it, ${figure.better} is better` : ''} |\n|---|---:|---:|\n${lines.join('\n')}\n`
}

const today = new Date().toISOString().slice(0, 10)
const processor = cpus()[0]?.model.trim() ?? 'an unknown processor'
const head = `# ${today}\n\nNode ${process.versions.node}, ${cpus().length} × ${processor}. Quote the ratios: the contenders took turns in one run, and the times are this machine's.\n`
console.log(head)
const parts = [head]
const chosen = FIGURES.filter((path) => asked.length === 0 || asked.some(isCalled(path)))
for (const path of chosen) {
  const { figures } = await import(`./${path}.mjs`)
  for (const figure of await figures()) {
    const text = table(figure)
    console.log(text)
    parts.push(text)
  }
}
if (asked.length === 0) {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${today}.md`), parts.join('\n'))
  console.log(`Written to bench/results/${today}.md`)
}
