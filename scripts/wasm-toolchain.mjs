// Finds the enclave's compiler, and has the one command that gives the same bytes from any folder and any home.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
export const TARGET = 'wasm32-unknown-unknown'
export const DIST = join(ROOT, 'packages/enclave/dist')
export const WASM_FILE = join(DIST, 'enclave.wasm')
export const RECORD_FILE = join(DIST, 'enclave.json')
/** The same enclave with the exports for an account's devices, and its record (docs/decisions/077). */
export const DEVICES_FILE = join(DIST, 'enclave-devices.wasm')
export const DEVICES_RECORD = join(DIST, 'enclave-devices.json')
export const DEVICES_FEATURES = ['devices']
/** `enclave.wasm` compiled for speed, and its record: for programs in which no page waits for it (docs/decisions/113). */
export const SERVICE_FILE = join(DIST, 'enclave-service.wasm')
export const SERVICE_RECORD = join(DIST, 'enclave-service.json')
export const SERVICE_ARGUMENTS = ['--config', 'profile.release.opt-level=3']
/** The module of the client's search worker, and its record. */
export const SEARCH_FILE = join(ROOT, 'apps/web/src/shared/search-index/search.wasm')
export const SEARCH_RECORD = join(ROOT, 'apps/web/src/shared/search-index/search.json')
export const ARTEFACT_FILE = join(ROOT, 'packages/enclave/src/generated/artefact.ts')
export const EXPORTS_FILE = join(ROOT, 'packages/enclave/src/generated/exports.ts')

const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'lld', 'binaryen']
const DEBIAN_RUSTC = '/usr/bin/rustc'
const DEBIAN_CARGO = '/usr/bin/cargo'

/** The most linear memory for the plugin, in bytes: Argon2id's reading limit of 512 MiB, a backup, and some room. */
export const MAX_MEMORY = 768 * 1024 * 1024

/** Arguments for cargo, apart from the remapped paths. Part of the sources' digest. */
const CARGO_ARGUMENTS = ['build', '--release', '--locked', '--package', 'keyhole-enclave', '--target', TARGET]
// The standard library copies, compares and allocates bytes, so it is compiled with the plugin and optimised for speed, like arithmetic.
// The result is smaller too, mainly because a panic traps at once: no one can read its message in a plugin, so neither messages nor source
// locations are included.
const STANDARD_LIBRARY = [
  '-Zbuild-std=std,panic_abort',
  '-Zpanic-immediate-abort',
  '--config',
  'profile.release.panic="immediate-abort"',
  ...['alloc', 'compiler_builtins', 'core', 'dlmalloc'].flatMap((name) => [
    '--config',
    `profile.release.package.${name}.opt-level=3`,
  ]),
]
/** Every engine that runs Keyhole has SIMD (docs/decisions/114). */
const SIMD = '-Ctarget-feature=+simd128'
/** The client's search module. */
const SEARCH_ARGUMENTS = [
  'build',
  '--profile',
  'search',
  '--locked',
  '--package',
  'keyhole-search',
  '--target',
  TARGET,
]
const SEARCH_FLAGS = [SIMD]
const RUST_FLAGS = [`-Clink-arg=--max-memory=${MAX_MEMORY}`, SIMD]
const SOURCE_DATE_EPOCH = '0'

/**
 * The workspace, the target folder, and optionally another home and another cargo home.
 * @typedef {{root: string, target: string, home?: string, cargoHome?: string}} Places
 */
/** @typedef {{kind: 'debian' | 'rustup', rustc: string, cargo: string, version: string}} Toolchain */

/**
 * The first line of `rustc --version`, or undefined if it doesn't run.
 * @param {string} rustc
 */
function versionOf(rustc) {
  const ran = spawnSync(rustc, ['--version'], { encoding: 'utf8' })
  return ran.status === 0 ? ran.stdout.trim() : undefined
}

/** @returns {Toolchain | undefined} Debian's compiler with the standard library's sources. */
function debianToolchain() {
  if (!existsSync(DEBIAN_CARGO) || spawnSync('wasm-ld', ['--version']).status !== 0) return undefined
  const version = versionOf(DEBIAN_RUSTC)
  if (version === undefined) return undefined
  const sysroot = execFileSync(DEBIAN_RUSTC, ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  if (!existsSync(join(sysroot, 'lib/rustlib/src/rust/library/std'))) return undefined
  return { kind: 'debian', rustc: DEBIAN_RUSTC, cargo: DEBIAN_CARGO, version }
}

/** @returns {Toolchain | undefined} A rustup toolchain with the wasm target installed. */
function rustupToolchain() {
  const version = versionOf('rustc')
  if (version === undefined) return undefined
  const libraries = spawnSync('rustc', ['--print', 'target-libdir', '--target', TARGET], { encoding: 'utf8' })
  if (libraries.status !== 0 || !existsSync(libraries.stdout.trim())) return undefined
  return { kind: 'rustup', rustc: 'rustc', cargo: 'cargo', version }
}

/**
 * The toolchain to build with: Debian's, installed through apt if `install` allows it and we are root, otherwise rustup's.
 * @param {{install: boolean}} options
 * @returns {Toolchain}
 * @throws {Error} naming what to install if there is none
 */
export function findToolchain({ install }) {
  const found = debianToolchain()
  if (found !== undefined) return found
  if (install && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { stdio: 'inherit', env: environment })
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES], {
      stdio: 'inherit',
      env: environment,
    })
    const installed = debianToolchain()
    if (installed !== undefined) return installed
  }
  const other = rustupToolchain()
  if (other !== undefined) return other
  throw new Error(
    `No Rust compiler for ${TARGET} is installed. On Debian: apt-get install ${DEBIAN_PACKAGES.join(' ')} — elsewhere, ` +
      `with rustup: rustup target add ${TARGET}`,
  )
}

/**
 * Compiles the enclave.
 * @param {Toolchain} toolchain
 * @param {Places} places
 * @param {readonly string[]} features  of the enclave's crate; `enclave.wasm` has none
 * @param {readonly string[]} given  more arguments for cargo
 * @returns {Buffer} the bytes of the wasm file
 */
export function compile(toolchain, places, features = [], given = []) {
  const more = features.length > 0 ? ['--features', features.join(',')] : []
  cargo(toolchain, places, [...CARGO_ARGUMENTS, ...more, ...given], RUST_FLAGS)
  return readFileSync(join(places.target, TARGET, 'release/keyhole_enclave.wasm'))
}

/**
 * Compiles the module of the client's search worker.
 * @param {Toolchain} toolchain
 * @param {Places} places
 * @returns {Buffer} the bytes of the wasm file
 */
export function compileSearch(toolchain, places) {
  cargo(toolchain, places, SEARCH_ARGUMENTS, SEARCH_FLAGS)
  return readFileSync(join(places.target, TARGET, 'search/keyhole_search.wasm'))
}

/** @param {Toolchain} toolchain @param {Places} places @param {string[]} called @param {string[]} rustFlags */
function cargo(toolchain, places, called, rustFlags) {
  const root = realpathSync(places.root)
  const cargoHome = places.cargoHome ?? process.env.CARGO_HOME ?? join(homedir(), '.cargo')
  const sysroot = execFileSync(toolchain.rustc, ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  const library = join(sysroot, 'lib/rustlib/src/rust')
  const mapped = new Map([
    [root, '/keyhole'],
    [join(cargoHome, 'registry/src'), '/registry'],
    [library, '/rust'],
  ])
  if (existsSync(cargoHome)) mapped.set(join(realpathSync(cargoHome), 'registry/src'), '/registry')
  if (existsSync(library)) mapped.set(realpathSync(library), '/rust')
  const unstable = toolchain.kind === 'debian' ? ['-Zlocation-detail=none'] : []
  const remaps = [...mapped].map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
  const flags = [...rustFlags, ...unstable, ...remaps]
  const environment = {
    ...process.env,
    // Unit separators, so that a path may contain a space.
    CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
    CARGO_TARGET_DIR: places.target,
    CARGO_HOME: cargoHome,
    CARGO_INCREMENTAL: '0',
    SOURCE_DATE_EPOCH,
    ...(places.home === undefined ? {} : { HOME: places.home }),
    ...(toolchain.kind === 'debian'
      ? {
          RUSTC: toolchain.rustc,
          RUSTC_BOOTSTRAP: '1',
          CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: 'wasm-ld',
        }
      : {}),
  }
  delete environment.RUSTFLAGS
  const standard = toolchain.kind === 'debian' ? STANDARD_LIBRARY : []
  execFileSync(toolchain.cargo, [...called, ...standard], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/**
 * Every file that the compiler reads for the artefact, relative to the root, sorted by code unit. Tests, and the fuzzing crate outside the
 * workspace, don't affect the bytes and aren't included.
 * @param {string} root
 */
export function sourceFiles(root) {
  const files = ['Cargo.toml', 'Cargo.lock']
  for (const name of readdirSync(join(root, 'crates'))) {
    if (name === 'fuzz') continue
    files.push(`crates/${name}/Cargo.toml`)
    const source = join(root, 'crates', name, 'src')
    for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('_test.rs')) continue
      files.push(relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    }
  }
  return files.sort()
}

/**
 * SHA-256 in hex over the build's flags and each source's path and content. Each is preceded by its length, so that no two trees give the
 * same input.
 * @param {string} root
 */
export function sourcesDigest(root) {
  const hash = createHash('sha256')
  const add = (/** @type {string | Buffer} */ part) => {
    const bytes = Buffer.from(part)
    hash.update(`${bytes.length}:`).update(bytes)
  }
  const called = [CARGO_ARGUMENTS, RUST_FLAGS, SERVICE_ARGUMENTS, SEARCH_ARGUMENTS, SEARCH_FLAGS]
  add(JSON.stringify([...called, SOURCE_DATE_EPOCH]))
  for (const file of sourceFiles(root)) {
    add(file)
    add(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * The record next to the search module.
 * @param {Buffer} wasm @param {string} compiler @param {string} root
 */
export const searchRecord = (wasm, compiler, root) =>
  `${JSON.stringify({ sha256: sha256(wasm), bytes: wasm.length, sources: sourcesDigest(root), compiler }, null, 2)}\n`

/** @param {Buffer} bytes */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * The record next to the artefact.
 * @param {Buffer} wasm
 * @param {string} compiler
 * @param {string} root
 */
export async function recordOf(wasm, compiler, root) {
  const module = await WebAssembly.compile(wasm)
  const exports = WebAssembly.Module.exports(module)
    .filter((entry) => entry.kind === 'function')
    .map((entry) => entry.name)
    .sort()
  const imports = WebAssembly.Module.imports(module)
    .map((entry) => `${entry.module} ${entry.name}`)
    .sort()
  return {
    sha256: sha256(wasm),
    bytes: wasm.length,
    sources: sourcesDigest(root),
    compiler,
    exports,
    declarations: declarationsOf(module),
    imports,
  }
}

/**
 * What the plugin declares about its exports, in a custom section: a line for each, with its name and traits.
 * @param {WebAssembly.Module} module
 */
function declarationsOf(module) {
  const [section] = WebAssembly.Module.customSections(module, 'keyhole.exports')
  const lines = new TextDecoder().decode(section).split('\n').filter(Boolean).sort()
  return Object.fromEntries(
    lines.map((line) => {
      const [name, ...traits] = line.split(' ')
      return [name, Object.fromEntries(traits.map(declaration))]
    }),
  )
}

/**
 * `changes_vault` or `strangers:field:field`, as TypeScript.
 * @param {string} trait
 */
function declaration(trait) {
  const [name = '', ...fields] = trait.split(':')
  const camel = name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())
  return [camel, fields.length > 0 ? fields : true]
}

/** @typedef {{sha256: string, declarations: Record<string, Record<string, true | string[]>>}} Built what a record says of a build */

/**
 * The content of `packages/enclave/src/generated/artefact.ts`, from the records of all builds.
 * @param {Built} enclave
 * @param {Built} devices
 * @param {Built} service
 * @param {string} root
 */
export function artefactSource(enclave, devices, service, root) {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/enclave/package.json'), 'utf8'))
  const declared = Object.entries(devices.declarations).filter(([, traits]) => Object.keys(traits).length > 0)
  return `// Written by \`npm run wasm:build\` and compared by \`npm run wasm:check\`.

/** SHA-256 of \`dist/enclave.wasm\`, in lower-case hex. */
export const WASM_SHA256 = '${enclave.sha256}'

/** SHA-256 of \`dist/enclave-devices.wasm\`, in lower-case hex. */
export const DEVICES_WASM_SHA256 = '${devices.sha256}'

/** SHA-256 of \`dist/enclave-service.wasm\`, in lower-case hex. */
export const SERVICE_WASM_SHA256 = '${service.sha256}'

/** Version of this package, and of the plugin that belongs to it. */
export const ENCLAVE_VERSION = '${version}'

/** What the plugin declares of its exports, those for devices too, without those of which it declares nothing. */
export const DECLARED = {
${declared.map(exportLine).join('\n')}
} as const
`
}

/**
 * The content of `packages/enclave/src/generated/exports.ts`, from the records of both builds. It is apart from the artefact's, because a page needs no
 * list of all exports.
 * @param {Built} enclave
 * @param {Built} devices
 */
export function exportsSource(enclave, devices) {
  const own = Object.keys(enclave.declarations)
  const added = Object.keys(devices.declarations).filter((name) => !(name in enclave.declarations))
  const lines = (/** @type {string[]} */ names) => names.map((name) => `  '${name}',`).join('\n')
  return `// Written by \`npm run wasm:build\` and compared by \`npm run wasm:check\`.

/** Every export. */
export const EXPORTS = [
${lines(own)}
] as const

/** The exports that only \`dist/enclave-devices.wasm\` has. */
export const DEVICE_EXPORTS = [
${lines(added)}
] as const
`
}

/** @param {[string, Record<string, true | string[]>]} declared */
function exportLine([name, traits]) {
  const value = (/** @type {true | string[]} */ given) =>
    given === true ? 'true' : `[${given.map((field) => `'${field}'`).join(', ')}]`
  const fields = Object.entries(traits).map(([trait, given]) => `${trait}: ${value(given)}`)
  return `  ${name}: { ${fields.join(', ')} },`
}

/** A folder for throw-away builds. */
export const SCRATCH = tmpdir()
