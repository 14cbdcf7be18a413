// What the crates may depend on: compatible licences, one version of each crate, crates.io only. The same checks as cargo-deny, without
// compiling its 400 crates. Advisories need a database and aren't checked here.
import { spawnSync } from 'node:child_process'
import { root } from '../suites.mjs'

const LICENCES = new Set(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'Unicode-3.0'])
const REGISTRY = 'registry+https://github.com/rust-lang/crates.io-index'
/** Crates that may exist in two versions, and why. */
const TWICE = new Map([['syn', 'macros that run while others are compiled; none of it is in the plugin']])

/**
 * @param {string} expression in SPDX syntax; older crates write `/` for OR
 * @returns {boolean} Whether we may use what is under it.
 */
function fits(expression) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? []
  const part = () => {
    if (tokens[0] !== '(') return LICENCES.has(tokens.shift() ?? '')
    tokens.shift()
    const value = either()
    tokens.shift()
    return value
  }
  const both = () => {
    let value = part()
    while (tokens[0] === 'AND') {
      tokens.shift()
      value = part() && value
    }
    return value
  }
  const either = () => {
    let value = both()
    while (tokens[0] === 'OR') {
      tokens.shift()
      value = both() || value
    }
    return value
  }
  return either() && tokens.length === 0
}

/**
 * @param {readonly {name: string, version: string, license: string | null, source: string | null}[]} packages as `cargo metadata` lists them
 * @returns {string[]} The problems found.
 */
function faults(packages) {
  const others = packages.filter(({ source }) => source !== null)
  const versions = group(others)
  return [
    ...packages
      .filter(({ license }) => license === null || !fits(license))
      .map(({ name, version, license }) => `${name} ${version} is under ${license ?? 'no licence'}`),
    ...others
      .filter(({ source }) => source !== REGISTRY)
      .map(({ name, version, source }) => `${name} ${version} comes from ${source}`),
    ...[...versions]
      .filter(([name, all]) => all.length > 1 && !TWICE.has(name))
      .map(([name, all]) => `${name} is there as ${all.map(({ version }) => version).join(' and ')}`),
  ]
}

/** @template {{name: string}} T @param {readonly T[]} packages @returns {Map<string, T[]>} */
function group(packages) {
  const found = new Map()
  for (const one of packages) found.set(one.name, [...(found.get(one.name) ?? []), one])
  return found
}

/** What must be found, and what must pass. */
const CASES = [
  { one: { license: 'MIT OR Apache-2.0' }, isFault: false },
  { one: { license: '(MIT OR GPL-3.0) AND Unicode-3.0' }, isFault: false },
  { one: { license: 'MIT/Apache-2.0' }, isFault: false },
  { one: { license: 'GPL-3.0' }, isFault: true },
  { one: { license: 'MIT AND GPL-3.0' }, isFault: true },
  { one: { license: null }, isFault: true },
  { one: { license: 'MIT', source: 'git+https://example.com/a' }, isFault: true },
]

const crate = { name: 'a', version: '1.0.0', license: 'MIT', source: REGISTRY }
const wrong = CASES.filter(({ one, isFault }) => faults([{ ...crate, ...one }]).length > 0 !== isFault).map(
  ({ one }) => `${JSON.stringify(one)} is judged wrongly`,
)
if (faults([crate, { ...crate, version: '2.0.0' }]).length === 0) wrong.push('Two versions are let through')
const command = ['metadata', '--locked', '--format-version', '1']
const { stdout, status, stderr } = spawnSync('cargo', command, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
if (status !== 0) wrong.push(`cargo metadata: ${stderr}`)
const packages = status === 0 ? JSON.parse(stdout).packages : []
wrong.push(...faults(packages))
for (const line of wrong) console.log(line)
if (wrong.length > 0) process.exitCode = 1
else
  console.log(`${packages.length} crates: their licences fit, each has one version and comes from crates.io.`)
