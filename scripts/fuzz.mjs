// Fuzzing with libFuzzer: node scripts/fuzz.mjs [--inputs <share of each target, default 1>] [--only <names>] [--record]
// Needs the nightly toolchain and cargo-fuzz. Findings stay in crates/fuzz/corpus, where the next run continues.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './suites.mjs'

/** A target fails beyond these: seconds for one input, the process's memory, and one allocation, in MiB. */
const LIMITS = { timeout: 5, rss_limit_mb: 1024, malloc_limit_mb: 128 }

/** Inputs at a share of 1 for targets that are more expensive than most. */
const INPUTS = {
  backup_content: 1_500,
  chain: 60_000,
  validation: 60_000,
  policy_check: 250_000,
  gzip: 300_000,
  sealed_state: 400_000,
  token_text: 400_000,
  container: 500_000,
}
const MOST_INPUTS = 650_000

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
})
const folder = join(root, 'crates', 'fuzz')
const manifest = readFileSync(join(folder, 'Cargo.toml'), 'utf8')
const all = [...manifest.matchAll(/\[\[bin\]\]\nname = "(\w+)"/g)].map(([, name]) => name)
const names = options.only ? options.only.split(',') : all

/**
 * Runs cargo in the folder of the fuzzing crate.
 * @param {string[]} args
 * @returns {Promise<{code: number | null, output: string}>}
 */
function cargo(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('cargo', args, { cwd: folder, stdio: ['ignore', 'inherit', 'pipe'] })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

async function build() {
  for (const args of [
    ['+nightly', 'fuzz', 'build', '--fuzz-dir', '.'],
    ['run', '--quiet', '--locked', '--release', '--bin', 'seeds', 'corpus'],
  ]) {
    const { code, output } = await cargo(args)
    if (code !== 0) throw new Error(`cargo ${args.join(' ')} failed:\n${output}`)
  }
}

/** @param {string} name */
async function fuzz(name) {
  const runs = Math.ceil((INPUTS[name] ?? MOST_INPUTS) * Number(options.inputs))
  const flags = Object.entries({ runs, ...LIMITS, print_final_stats: 1 })
  const started = performance.now()
  const { code, output } = await cargo([
    ...['+nightly', 'fuzz', 'run', '--fuzz-dir', '.', name, '--'],
    ...flags.map(([flag, value]) => `-${flag}=${value}`),
  ])
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) {
    console.error(output.slice(-8_000))
    throw new Error(`${name}: found something; the input is in crates/fuzz/artifacts/${name}`)
  }
  const stat = (key) => Number(output.match(new RegExp(`stat::${key}:\\s+(\\d+)`))?.[1] ?? Number.NaN)
  const covered = [...output.matchAll(/ cov: (\d+) /g)].at(-1)?.[1] ?? ''
  return {
    name,
    inputs: stat('number_of_executed_units'),
    seconds,
    covered,
    added: stat('new_units_added'),
    peak: stat('peak_rss_mb'),
    slowest: stat('slowest_unit_time_sec'),
  }
}

/** The latest run of each target, so that a long run can be split into parts. */
const notes = join(folder, 'corpus', 'ran.json')

await build()
const ran = existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')) : {}
for (const name of names) {
  const row = await fuzz(name)
  ran[name] = row
  writeFileSync(notes, JSON.stringify(ran))
  console.log(
    `${name}: ${row.inputs} inputs, ${row.seconds.toFixed(0)} s, peak ${row.peak} MiB, slowest ${row.slowest} s`,
  )
}
const rows = all.flatMap((name) => ran[name] ?? [])
const sum = rows.reduce((total, { inputs }) => total + inputs, 0)
console.log(`${sum} inputs, nothing found`)
if (options.record) writeFileSync(join(folder, 'RECORD.md'), record(rows, sum))

function record(rows, sum) {
  const number = (value) => value.toLocaleString('en-GB')
  const line = ({ name, inputs, seconds, covered, added, peak, slowest }) =>
    `| \`${name}\` | ${number(inputs)} | ${number(Math.round(seconds))} | ${covered} | ${number(added)} | ${peak} | ${slowest < 1 ? '< 1' : slowest} |`
  return `# Fuzzing: the last recorded run

${new Date().toISOString().slice(0, 10)} · **${number(sum)} inputs, nothing found** · one process at a time on ${cpus()[0]?.model.trim() ?? 'an unknown CPU'}, ${availableParallelism()} cores shared with other work

libFuzzer with AddressSanitizer, debug assertions and overflow checks. A run fails when an input panics, breaks what its
target asserts (\`crates/vault/tests/fuzz/targets.rs\`), takes longer than ${LIMITS.timeout} s, allocates more than ${LIMITS.malloc_limit_mb} MiB at once, or takes the
process past ${LIMITS.rss_limit_mb} MiB. The peak is the process's, with the sanitizer's own memory (some 250 MiB of freed blocks held back).

| target | inputs | seconds | edges covered | inputs kept | peak memory, MiB | slowest input, s |
|---|--:|--:|--:|--:|--:|--:|
${rows.map(line).join('\n')}

Written by \`node scripts/fuzz.mjs --record\`. \`backup_content\` derives a key from a passphrase for each input, and so has fewer.
`
}
