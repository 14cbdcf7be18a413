// Runs tests by name, and says how each ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../../scripts/suites.mjs'

/**
 * @param {string} program @param {readonly string[]} args @param {Readonly<Record<string, string>>} env @param {string} cwd
 * @returns {Promise<{code: number, said: string}>}
 */
export async function run(program, args, env = {}, cwd = root) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  const [code] = await once(child, 'close')
  return { code, said }
}

/** The crate of a file below `crates/`. @param {string} file */
const crateOf = (file) => `keyhole-${file.split('/')[1]}`

/**
 * Runs Rust tests, and those of TypeScript.
 * @param {readonly {file: string, title: string}[]} tests
 * @returns {Promise<ReadonlySet<string>>} the titles of those that passed
 */
export async function passed(tests) {
  /** @type {Set<string>} */
  const done = new Set()
  const rust = tests.filter(({ file }) => file.endsWith('.rs'))
  for (const crate of new Set(rust.map(({ file }) => crateOf(file)))) {
    const titles = rust.filter(({ file }) => crateOf(file) === crate).map(({ title }) => title)
    const features = crate === 'keyhole-enclave' ? ['--features', 'devices'] : []
    const { said } = await run('cargo', ['test', '--release', '-p', crate, ...features, '--', ...titles])
    for (const title of titles)
      if (new RegExp(`^test (?:\\S+::)?${title} \\.\\.\\. ok$`, 'm').test(said)) done.add(title)
  }
  const others = tests.filter(({ file }) => !file.endsWith('.rs'))
  if (others.length === 0) return done
  const files = [...new Set(others.map(({ file }) => file))]
  const names = others.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const args = ['vitest', 'run', '--reporter=json', '-t', `(?:${names})$`, ...files]
  const { said } = await run('npx', args)
  const report = JSON.parse(said.slice(said.indexOf('{"numTotalTestSuites"')).split('\n')[0] ?? '{}')
  for (const { assertionResults } of report.testResults)
    for (const { title, status } of assertionResults) if (status === 'passed') done.add(title)
  return done
}
