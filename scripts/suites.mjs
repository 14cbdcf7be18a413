// The suites that both `npm test` and `npm run verify` run, and how their results are counted.
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { STOPPED_DRAWING } from '../apps/web/e2e/stopped-drawing.js'
import { installRivals } from '../bench/rivals/install.mjs'
import { findBrowser } from './browser.mjs'
import { slowest, timesOfPlaywright, timesOfVitest } from './slowest.mjs'

export const root = join(import.meta.dirname, '..')

/** @typedef {{name: string, passed: number, failed: number, failures?: string[], times?: import('./slowest.mjs').Timed[], seconds?: number}} Result */

/** What a step in a series has printed so far. */
const held = new AsyncLocalStorage()

/** @param {string | Uint8Array} text @param {NodeJS.WriteStream} [stream] */
function print(text, stream = process.stdout) {
  const lines = held.getStore()
  if (lines) lines.push(String(text))
  else stream.write(text)
}

/**
 * Runs steps one after another, for use beside another series. What a step prints is shown when it ends, so that lines don't mix.
 * @param {(() => Promise<Result>)[]} steps
 * @returns {Promise<Result[]>}
 */
export async function series(steps) {
  const results = []
  for (const step of steps) {
    const lines = []
    results.push(await held.run(lines, step))
    process.stdout.write(lines.join(''))
  }
  return results
}

/**
 * Runs a command in the project's root. Its output is shown and returned, with how long it took.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{code: number, output: string, seconds: number}>}
 */
export function run(command, args, env = {}) {
  const begin = performance.now()
  const ended = (code, output) => ({ code, output, seconds: Math.round((performance.now() - begin) / 1000) })
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (chunk) => {
        output += chunk
        print(chunk, to)
      })
    }
    child.on('error', (error) => resolve(ended(127, String(error))))
    child.on('close', (code) => resolve(ended(code ?? 1, output)))
  })
}

/**
 * A step that is a single check, which passes or fails.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<Result>}
 */
export async function check(name, command, args) {
  print(`\n── ${name}\n`)
  const { code, seconds } = await run(command, args)
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds }
}

/**
 * A suite that ran no test, or failed without naming a failure, counts as failed.
 * @param {string} name
 * @param {{code: number, output: string, seconds?: number}} ran
 * @param {number} passed
 * @param {number} failed
 * @param {string[]} [failures]
 * @returns {Result}
 */
export function counted(name, { code, output, seconds }, passed, failed, failures = []) {
  const known = Math.max(failed, failures.length)
  if (known > 0 || (code === 0 && passed > 0)) return { name, passed, failed: known, failures, seconds }
  // Without a name, the end of what it printed is all there is to go by.
  const said = failure(name, `exit code ${code}`, output, -LAST_LINES)
  return { name, passed, failed: 1, failures: [said], seconds }
}

const FIRST_LINES = 8
const LAST_LINES = 20

/** A failure on a few lines: where it is, its title, and the start of its error, or the end of it if `lines` is negative. */
function failure(place, title, error = 'no error was reported', lines = FIRST_LINES) {
  const all = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const said = lines < 0 ? all.slice(lines) : all.slice(0, lines)
  return [`${place} › ${title}`, ...said.map((line) => `    ${line.slice(0, 200)}`)].join('\n')
}

const placeOf = (path) => (isAbsolute(path) ? relative(root, path) : path)

/**
 * The failures in a Vitest report: of tests, of whole files, and errors that no test waited for.
 * @param {{testResults?: any[]}} told
 * @param {import('./vitest/unhandled-errors.mjs').Unhandled[]} [unhandled]
 * @returns {string[]}
 */
export function failuresOfVitest({ testResults = [] }, unhandled = []) {
  const ofTests = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && message) return [failure(placeOf(name), 'the file itself', message)]
    return failed.map(({ fullName, failureMessages }) => failure(placeOf(name), fullName, failureMessages[0]))
  })
  return [...ofTests, ...unhandled.map(({ file, test, message }) => failure(placeOf(file), test, message))]
}

/** What was found of a failed test's pages, and each of its errors with its line. A test that ran out of time says in its second error where it waited. */
function errorsOf({ errors = [], annotations = [] }) {
  const found = annotations.map(({ type, description = '' }) => `${type}: ${description}`)
  const said = errors.flatMap(({ message = '', location }) => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, FIRST_LINES)
    return location ? [...lines, `at ${placeOf(location.file)}:${location.line}`] : lines
  })
  return [...found, ...said]
}

/**
 * Whether every failed attempt of a test was in a browser that had stopped drawing, which is no test's fault, and another attempt passed.
 */
const wasNotDrawn = ({ status, results }) =>
  status === 'flaky' &&
  results
    .filter((result) => result.status !== 'passed')
    .every(({ annotations = [] }) => annotations.some(({ type }) => type === STOPPED_DRAWING))

/**
 * The titles of tests that passed in a second browser, because the first one stopped drawing.
 * @param {{specs?: any[], suites?: any[]}} suite of a Playwright report
 * @returns {string[]}
 */
export function notDrawnOfPlaywright({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ tests }) => tests.some(wasNotDrawn))
    .map(({ file, title }) => `${file} › ${title}`)
  return [...own, ...suites.flatMap(notDrawnOfPlaywright)]
}

/**
 * The failures in a suite of a Playwright report, including nested suites, and errors outside any test. A test that failed and then passed
 * has failed, unless `notDrawnOfPlaywright` names it.
 * @param {{specs?: any[], suites?: any[], errors?: any[]}} suite
 * @returns {string[]}
 */
export function failuresOfPlaywright({ specs = [], suites = [], errors = [] }) {
  const own = specs
    .filter(({ ok, tests }) => !ok || tests.some((test) => test.status === 'flaky' && !wasNotDrawn(test)))
    .map(({ file, line, title, tests }) => {
      const failed = tests.flatMap((test) => test.results).find((result) => result.errors?.length > 0)
      return failure(`${file}:${line}`, title, failed && errorsOf(failed).join('\n'), 4 * FIRST_LINES)
    })
  const outside = errors.map((error) =>
    failure('playwright', 'outside any test', errorsOf({ errors: [error] }).join('\n')),
  )
  return [...own, ...suites.flatMap(failuresOfPlaywright), ...outside]
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Runs Vitest and reads its report.
 * @param {...string} args
 */
async function vitest(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-'))
  const report = join(folder, 'vitest.json')
  const reporters = ['default', 'json', join(root, 'scripts', 'vitest', 'unhandled-errors.mjs')]
  const named = [...reporters.map((reporter) => `--reporter=${reporter}`), `--outputFile.json=${report}`]
  const unhandled = join(folder, 'unhandled.json')
  const ran = await run('npx', ['vitest', 'run', ...args, ...named], { KEYHOLE_UNHANDLED: unhandled })
  const told = readReport(report)
  const errors = readReport(unhandled)
  rmSync(folder, { recursive: true, force: true })
  return { ran, told, failures: failuresOfVitest(told, Array.isArray(errors) ? errors : []) }
}

/** @returns {Promise<Result>} Vitest: the libraries, in Node. */
export async function unitTests() {
  console.log('\n── unit tests')
  const hasRivals = installRivals()
  if (!hasRivals)
    console.error('The other implementations could not be installed: nothing is tried with them.')
  const { ran, told, failures } = await vitest()
  const { numPassedTests = 0, numFailedTests = 0 } = told
  const result = counted('unit tests', ran, numPassedTests, numFailedTests, failures)
  if (!hasRivals && process.env.CI) {
    result.failed += 1
    result.failures.push('bench/package-lock.json › the other implementations could not be installed')
  }
  return { ...result, times: timesOfVitest(told, root) }
}

/** @returns {Promise<number>} A port that no one listens on. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** @returns {Promise<Result>} Playwright: the production build, in a real Chromium. */
export async function browserTests() {
  console.log('\n── browser tests')
  let chromium
  try {
    chromium = findBrowser()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { name: 'browser tests', passed: 0, failed: 1 }
  }
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-'))
  const report = join(folder, 'playwright.json')
  // The second attempt is for a browser that stopped drawing alone: any other test that needs it has failed.
  const ran = await run('npx', ['playwright', 'test', '--retries=1', '--reporter=list,json'], {
    CHROMIUM: chromium,
    KEYHOLE_TEST_PORT: String(await freePort()),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  const told = readReport(report)
  const { expected = 0, unexpected = 0, flaky = 0 } = told.stats ?? {}
  rmSync(folder, { recursive: true, force: true })
  const notDrawn = notDrawnOfPlaywright(told)
  for (const test of notDrawn)
    console.log(`The browser stopped drawing, and the test passed in another one: ${test}`)
  const failed = unexpected + flaky - notDrawn.length
  const result = counted('browser tests', ran, expected + notDrawn.length, failed, failuresOfPlaywright(told))
  return { ...result, times: timesOfPlaywright(told) }
}

/** @returns {Promise<Result>} Vitest: the production build, in Firefox, if it is installed. */
export async function engineTests() {
  print('\n── tests in Firefox\n')
  const { ran, told, failures } = await vitest('--config=apps/web/engines/vitest.config.ts')
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = told
  const name = 'tests in Firefox'
  if (ran.code === 0 && numPassedTests === 0 && numPendingTests > 0) {
    print('Firefox is not on this machine: its tests are skipped.\n')
    return { name, passed: 0, failed: 0 }
  }
  const result = counted(name, ran, numPassedTests, numFailedTests, failures)
  return { ...result, times: timesOfVitest(told, root) }
}

/**
 * The failed tests in what `cargo test` printed.
 * @param {string} output
 * @returns {string[]}
 */
export function failuresOfCargo(output) {
  const told = output.matchAll(/^---- (.+) stdout ----\n([\s\S]*?)(?=\n\n|\n----|$(?![\s\S]))/gm)
  return [...told].map(([, test, text]) => failure('cargo test', test, text))
}

/** @returns {Promise<Result>} Cargo: the core and the plugin, natively. */
export async function rustTests() {
  print('\n── Rust tests\n')
  const ran = await run('cargo', ['test', '--workspace', '--locked', '--quiet'])
  let passed = 0
  let failed = 0
  for (const [, ok, bad] of ran.output.matchAll(/test result: \w+\. (\d+) passed; (\d+) failed/g)) {
    passed += Number(ok)
    failed += Number(bad)
  }
  return counted('Rust tests', ran, passed, failed, failuresOfCargo(ran.output))
}

/**
 * Prints the slowest tests, what ran, what failed, and finally the line `N passed, N failed`. Sets the exit code.
 * @param {Result[]} results
 */
export function summarise(results) {
  for (const line of ['', ...slowest(results.flatMap(({ times = [] }) => times)), '']) console.log(line)
  for (const { name, passed, failed, failures = [], seconds = 0 } of results) {
    console.log(
      `${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`,
    )
    for (const text of failures) console.log(text.replace(/^/gm, '       '))
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  process.exitCode = sum('failed') === 0 ? 0 : 1
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
}
