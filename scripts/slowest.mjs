// Which tests are the slowest. `npm test` and `npm run verify` print this before the totals.

/** @typedef {{file: string, title: string, ms: number}} Timed */

const TESTS = 20
const FILES = 10

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`

/** @param {Timed[]} timed @returns {Map<string, number>} The total milliseconds of each file's tests. */
function byFile(timed) {
  const files = new Map()
  for (const { file, ms } of timed) files.set(file, (files.get(file) ?? 0) + ms)
  return files
}

/**
 * @param {Timed[]} timed
 * @returns {string[]} The slowest tests and the slowest files, as lines. A file's time is the sum of its tests' times, even if they ran in parallel.
 */
export function slowest(timed) {
  if (timed.length === 0) return []
  const tests = timed.toSorted((a, b) => b.ms - a.ms).slice(0, TESTS)
  const files = [...byFile(timed)].sort(([, a], [, b]) => b - a).slice(0, FILES)
  return [
    `slowest ${tests.length} of ${timed.length} tests:`,
    ...tests.map(({ file, title, ms }) => `${seconds(ms)}  ${file} › ${title}`),
    `slowest ${files.length} files, by the sum of their tests:`,
    ...files.map(([file, ms]) => `${seconds(ms)}  ${file}`),
  ]
}

/** @returns {Timed[]} The time of each test in Vitest's JSON report. @param {string} root */
export function timesOfVitest({ testResults = [] }, root) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: name.startsWith(root) ? name.slice(root.length + 1) : name,
      title: fullName,
      ms: duration ?? 0,
    })),
  )
}

/** @returns {Timed[]} The time of each test in a suite of Playwright's JSON report, including nested suites. */
export function timesOfPlaywright({ specs = [], suites = [] }, folder = 'apps/web/e2e') {
  const own = specs.map(({ file, title, tests }) => ({
    file: `${folder}/${file}`,
    title,
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  return [...own, ...suites.flatMap((suite) => timesOfPlaywright(suite, folder))]
}
