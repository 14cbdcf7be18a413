// Whether the tests notice realistic mistakes. Thirty faults, each in one file, are made one at a time in a separate worktree, and the
// narrowest test that should notice is run. It must pass without the fault and fail with it.
// Usage: node scripts/mutation-check.mjs [--only <number>]…. It isn't part of verify, because it takes half an hour. It checks what is
// committed.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FAULTS } from './mutation-faults.mjs'
import { root } from './suites.mjs'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const chosen = FAULTS.map((fault, index) => ({ ...fault, number: index + 1 })).filter(
  ({ number }) => !values.only || values.only.includes(String(number)),
)

const run = (/** @type {string} */ command, /** @type {string[]} */ ...parts) =>
  spawnSync(command, parts, { cwd: root, encoding: 'utf8' })
const place = join(mkdtempSync(join(tmpdir(), 'keyhole-mutations-')), 'keyhole')
const made = run('git', 'worktree', 'add', '--detach', place)
if (made.status !== 0) throw new Error(`No worktree could be made: ${made.stderr}`)

/** The output of tests of which some passed. A filter that fits no test passes too. */
const PASSED = [/test result: ok\. [1-9]/, /Tests\s+.*\d+ passed/, /^\s+\d+ passed/m]
/** The output of a test that ran and failed. One that doesn't compile or start has noticed nothing. */
const FAILED = [/test result: FAILED/, /Tests\s+.*\d+ failed/, /^\s+\d+ failed$/m]

/** @param {string} test @returns {'green' | 'red' | 'broken'} */
function outcomeOf(test) {
  const { status, stdout, stderr } = spawnSync(test, {
    ...{ cwd: place, shell: true, encoding: 'utf8', maxBuffer: 1 << 28 },
    env: {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      CARGO_TARGET_DIR: process.env.CARGO_TARGET_DIR ?? join(root, 'target'),
    },
  })
  if (status === 0 && PASSED.some((said) => said.test(stdout))) return 'green'
  if (FAILED.some((said) => said.test(stdout))) return 'red'
  console.log(`${stdout}\n${stderr}`.split('\n').slice(-15).join('\n'))
  return 'broken'
}

/** @type {string[]} */
const wrong = []
try {
  cpSync(join(root, 'node_modules'), join(place, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  /** @type {Map<string, string>} Each test's outcome without a fault. */
  const without = new Map()
  for (const { number, file, what, from, to, test } of chosen) {
    const path = join(place, file)
    const text = readFileSync(path, 'utf8')
    const places = text.split(from).length - 1
    if (places !== 1) {
      wrong.push(`${number}. ${file}: the text of the fault is there ${places} times`)
      continue
    }
    if (!without.has(test)) without.set(test, outcomeOf(test))
    const before = without.get(test)
    let found = before === 'green' ? 'not run' : `${before} without it`
    if (before === 'green') {
      writeFileSync(
        path,
        text.replace(from, () => to),
      )
      found = outcomeOf(test)
      writeFileSync(path, text)
    }
    console.log(`${String(number).padStart(2)}  ${found.padEnd(8)} ${file}: ${what}`)
    if (found !== 'red') wrong.push(`${number}. ${file}: ${what} (${found}): ${test}`)
  }
} finally {
  run('git', 'worktree', 'remove', '--force', place)
  rmSync(join(place, '..'), { recursive: true, force: true })
}
console.log(`${chosen.length - wrong.length} of ${chosen.length} faults are noticed.`)
for (const line of wrong) console.log(line)
if (wrong.length > 0) process.exitCode = 1
