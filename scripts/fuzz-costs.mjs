// Searches for the inputs that take the most processor time in the built enclave, by hill climbing from shape to shape:
// node scripts/fuzz-costs.mjs [--minutes 30] [--seed 1] [--only <shapes>] [--record] [--keep] [--wasm <another build>]
// `--record` writes crates/fuzz/COSTS.md; `--keep` writes the most expensive input of each shape to vectors/cost/worst.json.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchVerified } from '../packages/enclave/dist/loading/source.js'
import { Plugin } from '../packages/enclave/dist/plugin/plugin.js'
import { begin, change, drawing, inputOf, NAMES, SHAPES } from './cost-inputs.mjs'
import { root } from './suites.mjs'

/** The limits for any input: processor milliseconds, and how many bytes longer than its input an answer may be. */
const LIMITS = { milliseconds: 250, bytes: 1 << 20 }
/** The longest input to try, in bytes. The enclave refuses longer ones unread. */
const LONGEST = 16 << 20
/** How often to repeat an input that exceeds a limit. The lowest counts, because other work only adds time. */
const TIMES = 3

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    wasm: { type: 'string' },
  },
})
const shapes = options.only ? options.only.split(',') : Object.keys(SHAPES)
const draw = drawing(Number(options.seed))
const build = options.wasm && readFileSync(options.wasm)
const source = build ? { bytes: build, sha256: createHash('sha256').update(build).digest('hex') } : undefined
const wasm = await fetchVerified(source, { timeout: 30_000, signal: undefined })
const start = () => Plugin.create(wasm, { allowedHosts: [] })
let plugin = await start()

/** Processor milliseconds of this thread. Linux reports nanoseconds. */
function threadTime() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1_000_000
}

/** @param {{call: string, input: object}} asked */
async function ask({ call, input }) {
  const bytes = new TextEncoder().encode(JSON.stringify(input))
  if (bytes.length > LONGEST) return undefined
  const before = threadTime()
  let output
  try {
    output = await plugin.call(call, bytes)
  } catch (error) {
    plugin = await start()
    return { name: `trap: ${error}`, milliseconds: threadTime() - before, more: 0, length: bytes.length }
  }
  const milliseconds = threadTime() - before
  const answer = output ?? ''
  const found = /"name":"(\w+)"/.exec(answer)?.[1]
  const name = found && NAMES.includes(found) ? found : answer.includes('"code":') ? 'refused' : 'holds'
  return { name, milliseconds, more: Buffer.byteLength(answer) - bytes.length, length: bytes.length }
}

/** @typedef {{shape: string, genes: Record<string, number>, name: string, milliseconds: number, more: number, length: number}} Found */

/** @param {string} shape @param {Record<string, number>} genes @returns {Promise<Found | undefined>} */
async function measure(shape, genes) {
  const asked = inputOf(shape, genes)
  let least = await ask(asked)
  if (!least) return undefined
  for (let times = 1; times < TIMES && least.milliseconds > LIMITS.milliseconds * 0.8; times += 1) {
    const again = await ask(asked)
    if (again && again.milliseconds < least.milliseconds) least = again
  }
  return { shape, genes, ...least }
}

const end = performance.now() + Number(options.minutes) * 60_000
const started = performance.now()
/** @type {Record<string, {best: Found | undefined, now: Found | undefined, inputs: number, stuck: number, most: number}>} */
const searches = Object.fromEntries(
  shapes.map((shape) => [
    shape,
    { best: undefined, now: undefined, inputs: 0, stuck: 0, most: Number.NEGATIVE_INFINITY },
  ]),
)
/** @type {Found[]} */
const past = []
while (performance.now() < end) {
  for (const shape of shapes) {
    if (performance.now() >= end) break
    const search = searches[shape]
    const description = SHAPES[shape]
    if (!search || !description) continue
    // After a long time without improvement, start somewhere else.
    const isNew = !search.now || search.stuck > 12
    const fresh = search.inputs === 0 && description.costly ? description.costly : begin(description, draw)
    const genes = search.now && !isNew ? change(description, search.now.genes, draw) : fresh
    const found = await measure(shape, genes)
    if (!found) continue
    search.inputs += 1
    search.most = Math.max(search.most, found.more)
    const isCostlyer = isNew || !search.now || found.milliseconds > search.now.milliseconds
    search.stuck = isCostlyer ? 0 : search.stuck + 1
    if (isCostlyer) search.now = found
    if (!search.best || found.milliseconds > search.best.milliseconds) search.best = found
    if (
      found.milliseconds > LIMITS.milliseconds ||
      found.more > LIMITS.bytes ||
      found.name.startsWith('trap')
    ) {
      past.push(found)
      console.log(`past the limit: ${JSON.stringify(found)}`)
    }
  }
}
const minutes = (performance.now() - started) / 60_000
const found = Object.entries(searches).flatMap(([shape, { best, inputs, most }]) =>
  best ? [{ ...best, shape, inputs, most }] : [],
)
const sum = found.reduce((total, { inputs }) => total + inputs, 0)
for (const { shape, inputs, milliseconds, name, length, genes } of found) {
  console.log(
    `${shape}: ${inputs} inputs, at most ${milliseconds.toFixed(1)} ms (${name}, ${length} bytes) ${JSON.stringify(genes)}`,
  )
}
console.log(`${sum} inputs in ${minutes.toFixed(1)} minutes, ${past.length} past a limit`)
if (options.record) writeFileSync(join(root, 'crates/fuzz/COSTS.md'), record())
if (options.keep) keep()
if (past.length > 0) process.exitCode = 1

function record() {
  const number = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-GB')
  const line = ({ shape, inputs, milliseconds, name, length, most, genes }) =>
    `| \`${shape}\` | ${number(inputs)} | ${milliseconds.toFixed(1)} | ${name} | ${number(length)} | ${number(most)} | ${Object.entries(
      genes,
    )
      .map(([gene, value]) => `${gene} ${value}`)
      .join(', ')} |`
  return `# Fuzzing of costs: the last recorded run

${new Date().toISOString().slice(0, 10)} · **${number(sum)} inputs in ${minutes.toFixed(1)} minutes, ${past.length === 0 ? 'none' : past.length} past a limit** · seed ${options.seed}, through the built wasm in Node ${process.versions.node}, one thread, on ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores shared with other work

The limits: ${LIMITS.milliseconds} ms of processor time a call, an answer at most 1 MiB longer than its input, and no trap. Each shape of input (\`scripts/cost-inputs.mjs\`) is
searched by climbing: one or two of its numbers are changed, and what takes more of the thread's processor time is kept.

| shape | inputs | costliest, ms | answered | its bytes | answer longer by at most | its numbers |
|---|--:|--:|---|--:|--:|---|
${found.map(line).join('\n')}
${past.map((one) => `\nPast a limit: \`${JSON.stringify(one)}\`\n`).join('')}
Written by \`node scripts/fuzz-costs.mjs --minutes ${options.minutes} --record\`. The costliest of each shape are kept in \`vectors/cost/worst.json\`.
`
}

function keep() {
  const file = join(root, 'vectors/cost/worst.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8'))
  // What an earlier search found is replaced by this one's results. What a person added stays.
  const others = cases.filter(({ by }) => by !== 'search')
  const costliest = found.map(({ shape, genes, name }) => ({
    shape,
    genes,
    holds: ['holds', 'TooMuchWork'].includes(name),
    by: 'search',
  }))
  writeFileSync(file, `${JSON.stringify({ cases: [...others, ...costliest] }, null, 2)}\n`)
}
