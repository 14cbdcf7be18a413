// The suites that both `npm test` and `npm run verify` run, and how their results are counted.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { installRivals } from '../bench/rivals/install.mjs'
import { findBrowser } from './browser.mjs'
import { slowest, timesOfPlaywright, timesOfVitest } from './slowest.mjs'

export const root = join(import.meta.dirname, '..')

/** @typedef {{name: string, passed: number, failed: number, failures?: string[], times?: import('./slowest.mjs').Timed[]}} Result */

/**
 * Runs a command in the project's root. Its output is shown and returned.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{code: number, output: string}>}
 */
export function run(command, args, env = {}) {
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
        to.write(chunk)
      })
    }
    child.on('error', (error) => resolve({ code: 127, output: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
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
  console.log(`\n── ${name}`)
  const { code } = await run(command, args)
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
}

/** A suite that ran no test, or failed without naming a failure, counts as failed. */
function counted(name, code, passed, failed, failures = []) {
  const silent = passed + failed === 0 || (code !== 0 && failed === 0)
  return { name, passed, failed: silent ? failed + 1 : failed, failures }
}

/** A failed test on a few lines: its file, its title, and the start of its error. */
function failure(place, title, error) {
  const lines = stripVTControlCharacters(error ?? 'no error was reported').split('\n')
  const said = lines.filter((line) => line.trim() !== '').slice(0, 8)
  return [`${place} › ${title}`, ...said.map((line) => `    ${line.slice(0, 200)}`)].join('\n')
}

/** The failures in a Vitest report. */
function failuresOfVitest({ testResults = [] }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const place = relative(root, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && message) return [failure(place, 'the file itself', message)]
    return failed.map(({ fullName, failureMessages }) => failure(place, fullName, failureMessages[0]))
  })
}

/** The failures in a suite of a Playwright report, including nested suites. */
function failuresOfPlaywright({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const results = tests.flatMap((test) => test.results)
      return failure(`${file}:${line}`, title, results.find(({ error }) => error)?.error.message)
    })
  return [...own, ...suites.flatMap(failuresOfPlaywright)]
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
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await run('npx', ['vitest', 'run', ...args, ...reporters])
  const told = readReport(report)
  rmSync(folder, { recursive: true, force: true })
  return { code, told }
}

/** @returns {Promise<Result>} Vitest: the libraries, in Node. */
export async function unitTests() {
  console.log('\n── unit tests')
  const hasRivals = installRivals()
  if (!hasRivals)
    console.error('The other implementations could not be installed: nothing is tried with them.')
  const { code, told } = await vitest()
  const { numPassedTests = 0, numFailedTests = 0 } = told
  const result = counted('unit tests', code, numPassedTests, numFailedTests, failuresOfVitest(told))
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
  const { code } = await run('npx', ['playwright', 'test', '--reporter=list,json'], {
    CHROMIUM: chromium,
    KEYHOLE_TEST_PORT: String(await freePort()),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  const told = readReport(report)
  const { expected = 0, unexpected = 0, flaky = 0 } = told.stats ?? {}
  rmSync(folder, { recursive: true, force: true })
  const result = counted('browser tests', code, expected, unexpected + flaky, failuresOfPlaywright(told))
  return { ...result, times: timesOfPlaywright(told) }
}

/** @returns {Promise<Result>} Vitest: the production build, in Firefox, if it is installed. */
export async function engineTests() {
  console.log('\n── tests in Firefox')
  const { code, told } = await vitest('--config=apps/web/engines/vitest.config.ts')
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = told
  const name = 'tests in Firefox'
  if (code === 0 && numPassedTests === 0 && numPendingTests > 0) {
    console.log('Firefox is not on this machine: its tests are skipped.')
    return { name, passed: 0, failed: 0 }
  }
  const result = counted(name, code, numPassedTests, numFailedTests, failuresOfVitest(told))
  return { ...result, times: timesOfVitest(told, root) }
}

/** @returns {Promise<Result>} Cargo: the core and the plugin, natively. */
export async function rustTests() {
  console.log('\n── Rust tests')
  const { code, output } = await run('cargo', ['test', '--workspace', '--locked', '--quiet'])
  let passed = 0
  let failed = 0
  for (const [, ok, bad] of output.matchAll(/test result: \w+\. (\d+) passed; (\d+) failed/g)) {
    passed += Number(ok)
    failed += Number(bad)
  }
  return counted('Rust tests', code, passed, failed)
}

/**
 * Prints the slowest tests, what ran, what failed, and finally the line `N passed, N failed`. Sets the exit code.
 * @param {Result[]} results
 */
export function summarise(results) {
  for (const line of ['', ...slowest(results.flatMap(({ times = [] }) => times)), '']) console.log(line)
  for (const { name, passed, failed, failures = [] } of results) {
    console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} failed`)
    for (const text of failures) console.log(text.replace(/^/gm, '       '))
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  process.exitCode = sum('failed') === 0 ? 0 : 1
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
}
