// npm run verify: everything. Rust is checked if cargo is installed, and CI requires it.
// `--after <file>` skips what `npm test` has just run and written to that file, and counts its results.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { browserTests, check, engineTests, rustTests, series, summarise, unitTests } from './suites.mjs'

const { values } = parseArgs({ options: { after: { type: 'string' } } })
/** @type {import('./suites.mjs').Result[] | undefined} */
const tested = values.after === undefined ? undefined : JSON.parse(readFileSync(values.after, 'utf8'))

const results = [
  await check('format, lint and import boundaries', 'npx', ['biome', 'ci', '.']),
  await check('boundaries are held', 'node', ['scripts/checks/boundaries-check.mjs']),
  await check('tests of the threat model exist', 'node', ['scripts/checks/threat-model-check.mjs']),
  await check('files that documents name exist', 'node', ['scripts/checks/docs-check.mjs']),
  await check('no program compares what an error says', 'node', ['scripts/checks/refusals-check.mjs']),
  await check('the typeface is made of its sources', 'node', ['scripts/typeface.mjs', '--check']),
  await check('catalogues are up to date', 'node', ['scripts/checks/messages-check.mjs']),
  await check('messages use our words', 'node', ['scripts/checks/words-check.mjs']),
  await check('sentences are easy to read', 'node', ['scripts/checks/reading-check.mjs']),
  ...(tested ?? [await check('build', 'npm', ['run', 'build'])]),
]

/** @type {(() => Promise<import('./suites.mjs').Result>)[]} */
const rust = []
const hasCargo = spawnSync('cargo', ['--version']).status === 0
if (hasCargo || process.env.CI) {
  rust.push(
    () => check('Rust format', 'cargo', ['fmt', '--all', '--check']),
    () =>
      check('Rust lint', 'cargo', [
        'clippy',
        '--workspace',
        '--all-targets',
        '--locked',
        '--',
        '-D',
        'warnings',
      ]),
    () => check('what the crates depend on', 'node', ['scripts/checks/crates-check.mjs']),
    () =>
      check('Rust documentation', 'cargo', [
        '--config',
        'build.rustdocflags=["-D", "warnings"]',
        'doc',
        '--workspace',
        '--no-deps',
        '--locked',
      ]),
    () => check('the contract in TypeScript is the one in Rust', 'npm', ['run', 'contract', '--', '--check']),
    () => check('the notices for what is inside the plugin', 'node', ['scripts/notices.mjs', '--check']),
    rustTests,
  )
} else {
  console.log('\n── Rust: cargo is not on this machine, so the Rust sources are not checked here')
}
if (tested === undefined) results.push(await unitTests(), await browserTests())

// Compiling leaves a core idle while it links, and so does a build of the plugin, which is one unit of code; installing packages waits for
// disk and network. Each series takes about as long as the other.
const others = [
  () => check('types', 'npm', ['run', 'types']),
  engineTests,
  () =>
    check('a gate fails nothing of the conformance suite of MCP', 'node', ['scripts/conformance/run.mjs']),
  ...(process.platform === 'linux'
    ? [() => check('the README shows what the command does', 'node', ['scripts/recording.mjs', '--check'])]
    : []),
  () => check('the packages work elsewhere', 'node', ['scripts/checks/elsewhere-check.mjs']),
  () => check('size budgets', 'node', ['scripts/checks/size-check.mjs']),
  () => check('artefact', 'npm', ['run', 'wasm:check']),
]
for (const done of await Promise.all([series(rust), series(others)])) results.push(...done)
summarise(results)
