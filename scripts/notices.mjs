// Writes packages/enclave/THIRD-PARTY-NOTICES.txt: the licences of the crates in the plugin, of Rust's standard library, and of the parts
// of Extism in the worker scripts.
// Usage: node scripts/notices.mjs [--check]. Needs cargo, and the crates downloaded.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './suites.mjs'
import { DEVICES_FEATURES, TARGET } from './wasm-toolchain.mjs'

const FILE = join(root, 'packages/enclave/THIRD-PARTY-NOTICES.txt')
const EXTISM = join(root, 'node_modules/@extism/extism')
/** Packages in Extism's browser bundle whose licence it lacks, by their names in its source map. */
const IN_EXTISM = ['balanced-match', 'brace-expansion', 'browser_wasi_shim', 'minimatch']
/** The first of these that a crate has is used. Of a choice of licences, that is the shortest. */
const LICENSE_FILES = [/^LICENSE-MIT/i, /^LICENSE(\.md|\.txt)?$/i, /^COPYING$/i, /^LICENSE-/i]

/** @typedef {{name: string, version: string, license: string | null, source: string | null, repository: string | null, authors: string[], manifest_path: string, targets: {kind: string[]}[]}} Crate */

/** Other people's crates whose code is in the plugin with devices, and so in the one without, except for those for tests or at compile time. @returns {Crate[]} */
function crates() {
  const features = DEVICES_FEATURES.map((feature) => `keyhole-enclave/${feature}`)
  const metadata = ['metadata', '--format-version', '1', '--locked', '--filter-platform', TARGET]
  metadata.push('--features', features.join(','))
  const { packages, resolve } = JSON.parse(
    execFileSync('cargo', metadata, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }),
  )
  const byId = new Map(packages.map((each) => [each.id, each]))
  const dependencies = new Map(resolve.nodes.map(({ id, deps }) => [id, deps]))
  const found = new Set()
  const queue = packages.filter(({ name }) => name === 'keyhole-enclave').map(({ id }) => id)
  while (queue.length > 0) {
    const id = queue.pop()
    const isMacro = byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro'))
    if (found.has(id) || isMacro) continue
    found.add(id)
    const normal = dependencies.get(id).filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null))
    queue.push(...normal.map(({ pkg }) => pkg))
  }
  return [...found].map((id) => byId.get(id)).filter(({ source }) => source !== null)
}

/** A text without the differences between copies of it. @param {string} text */
const tidy = (text) =>
  text
    .replaceAll('\r', '')
    .replace(/[ \t]+$/gm, '')
    .trim()

/** A crate's licence, from its own file, or by name if it has none. @param {Crate} crate */
function licenseOf({ name, license, authors, manifest_path }) {
  const folder = dirname(manifest_path)
  const files = readdirSync(folder)
  for (const pattern of LICENSE_FILES) {
    const file = files.find((each) => pattern.test(each))
    if (file) return tidy(readFileSync(join(folder, file), 'utf8'))
  }
  const people = authors.filter((author) => !/^\S+@\S+$/.test(author)).join(', ')
  const holder = `Copyright (c) ${people || `the authors of ${name}`}`
  if (license === 'MIT') return `${holder}\n\n${readNotice('mit')}`
  if (license === 'BSD-3-Clause') return `${holder}\n\n${readNotice('bsd-3-clause')}`
  throw new Error(`notices: ${name} has no licence file, and its licence is ${license}`)
}

const readNotice = (/** @type {string} */ name) =>
  tidy(readFileSync(join(root, 'scripts/notices', `${name}.txt`), 'utf8'))

/** The texts without duplicates, each with what it applies to. @param {{name: string, text: string}[]} things */
function section(title, things) {
  /** @type {Map<string, string[]>} */
  const byText = new Map()
  for (const { name, text } of things) byText.set(text, [...(byText.get(text) ?? []), name])
  const parts = [...byText].map(([text, names]) => ({ text, names: names.sort() }))
  parts.sort((one, other) => (one.names[0] ?? '').localeCompare(other.names[0] ?? '', 'en'))
  const lines = parts.map(({ text, names }) => `${'-'.repeat(80)}\n${names.join('\n')}\n\n${text}\n`)
  return `${'='.repeat(80)}\n${title}\n\n${lines.join('\n')}`
}

function notices() {
  const described = crates().map((crate) => ({
    name: `${crate.name} ${crate.version}, ${crate.license}${crate.repository ? `, ${crate.repository}` : ''}`,
    text: licenseOf(crate),
  }))
  const { version } = JSON.parse(readFileSync(join(EXTISM, 'package.json'), 'utf8'))
  const scripts = [
    {
      name: `@extism/extism ${version}, BSD-3-Clause`,
      text: tidy(readFileSync(join(EXTISM, 'LICENSE'), 'utf8')),
    },
    ...IN_EXTISM.map((name) => ({ name: `${name}, in @extism/extism`, text: readNotice(name) })),
  ]
  const standard = {
    name: 'The Rust standard library, with the crates that it is built from, MIT OR Apache-2.0, https://github.com/rust-lang/rust',
    text: `Copyright (c) The Rust Project Contributors\n\n${readNotice('mit')}`,
  }
  return [
    'What others have made and this package contains, with the licences under which it may.',
    'Written by scripts/notices.mjs.',
    '',
    section('In dist/enclave.wasm, dist/enclave-devices.wasm and dist/enclave-service.wasm', [
      ...described,
      standard,
    ]),
    section('In dist/workers', scripts),
  ].join('\n')
}

const written = notices()
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, written)
} else if (readFileSync(FILE, 'utf8') !== written) {
  console.error(
    'packages/enclave/THIRD-PARTY-NOTICES.txt is not what the crates give: run node scripts/notices.mjs',
  )
  process.exitCode = 1
}
