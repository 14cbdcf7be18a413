// Checks that the committed artefact matches its record and that its sources haven't changed since. If the recorded compiler is installed,
// also checks that a rebuild gives the same bytes, and that published test vectors pass in a build of the same sources with one more
// export.
// Usage: npm run wasm:check
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  ARTEFACT_FILE,
  artefactSource,
  compile,
  compileSearch,
  DEVICES_FEATURES,
  DEVICES_FILE,
  DEVICES_RECORD,
  EXPORTS_FILE,
  exportsSource,
  findToolchain,
  RECORD_FILE,
  ROOT,
  recordOf,
  SCRATCH,
  SEARCH_FILE,
  SEARCH_RECORD,
  SERVICE_ARGUMENTS,
  SERVICE_FILE,
  SERVICE_RECORD,
  searchRecord,
  sha256,
  sourceFiles,
  sourcesDigest,
  WASM_FILE,
} from './wasm-toolchain.mjs'

const failures = []
/** @param {string} file @param {string} recordFile */
const read = (file, recordFile) => ({
  name: basename(file),
  wasm: readFileSync(file),
  record: JSON.parse(readFileSync(recordFile, 'utf8')),
})
const enclave = read(WASM_FILE, RECORD_FILE)
const devices = read(DEVICES_FILE, DEVICES_RECORD)
const service = read(SERVICE_FILE, SERVICE_RECORD)
const { record } = enclave

for (const { name, wasm, record } of [enclave, devices, service]) {
  const actual = await recordOf(wasm, record.compiler, ROOT)
  for (const field of ['sha256', 'bytes', 'exports', 'declarations', 'imports']) {
    if (JSON.stringify(actual[field]) !== JSON.stringify(record[field])) {
      failures.push(`the record of ${name} says another ${field} than the file has`)
    }
  }
  if (sourcesDigest(ROOT) !== record.sources) {
    failures.push(`the Rust sources have changed since ${name} was built: run npm run wasm:build`)
  }
}
for (const [name, traits] of Object.entries(record.declarations)) {
  if (JSON.stringify(devices.record.declarations[name]) !== JSON.stringify(traits)) {
    failures.push(`enclave-devices.wasm has no ${name} that is declared as in enclave.wasm`)
  }
}
if (JSON.stringify(service.record.declarations) !== JSON.stringify(record.declarations)) {
  failures.push('enclave-service.wasm does not declare what enclave.wasm does')
}
const search = readFileSync(SEARCH_FILE)
if (readFileSync(SEARCH_RECORD, 'utf8') !== searchRecord(search, record.compiler, ROOT)) {
  failures.push('search.json does not describe this search.wasm: run npm run wasm:build')
}
if (readFileSync(ARTEFACT_FILE, 'utf8') !== artefactSource(record, devices.record, service.record, ROOT)) {
  failures.push(
    'packages/enclave/src/generated/artefact.ts does not name these builds: run npm run wasm:build',
  )
}
if (readFileSync(EXPORTS_FILE, 'utf8') !== exportsSource(record, devices.record)) {
  failures.push(
    'packages/enclave/src/generated/exports.ts does not list these exports: run npm run wasm:build',
  )
}
console.log(`digests: ${failures.length === 0 ? 'agree' : 'DISAGREE'}`)

if (failures.length === 0) failures.push(...rebuild())
for (const failure of failures) console.error(`wasm:check: ${failure}`)
console.log(failures.length === 0 ? 'wasm:check passed' : 'wasm:check FAILED')
process.exit(failures.length === 0 ? 0 : 1)

/**
 * Files that a manifest names apart from sources, and a crate's documentation page. They must exist, although they don't affect the bytes.
 */
function besideSources() {
  const names = readdirSync(join(ROOT, 'crates')).flatMap((crate) => [
    `crates/${crate}/examples`,
    `crates/${crate}/README.md`,
  ])
  return names.filter((name) => existsSync(join(ROOT, name)))
}

/** Builds a copy in another folder with another home, and compares. Says why if it can't. */
function rebuild() {
  let toolchain
  try {
    toolchain = findToolchain({ install: false })
  } catch {
    console.log(`rebuild: left out, no Rust compiler for wasm is installed (recorded: ${record.compiler})`)
    return []
  }
  if (toolchain.version !== record.compiler) {
    console.log(
      `rebuild: left out, ${toolchain.version} is installed and the artefact is of ${record.compiler}`,
    )
    return []
  }
  const scratch = mkdtempSync(join(SCRATCH, 'keyhole wasm check '))
  try {
    const copy = join(scratch, 'another folder')
    for (const file of [...sourceFiles(ROOT), ...besideSources()]) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(ROOT, file), join(copy, file), { recursive: true })
    }
    const home = join(scratch, 'another home')
    const cargoHome = join(home, 'cargo')
    mkdirSync(join(cargoHome, 'registry'), { recursive: true })
    // Reuse downloads. They are unpacked again in the other home.
    const known = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
    for (const part of ['config.toml', 'registry/index', 'registry/cache']) {
      if (existsSync(join(known, part))) cpSync(join(known, part), join(cargoHome, part), { recursive: true })
    }
    const places = { root: copy, target: join(scratch, 'target'), home, cargoHome }
    for (const [built, features, given] of /** @type {const} */ ([
      [enclave, [], []],
      [devices, DEVICES_FEATURES, []],
      [service, [], SERVICE_ARGUMENTS],
    ])) {
      const again = compile(toolchain, places, features, given)
      if (!again.equals(built.wasm)) {
        const found = `sha256 ${sha256(again)}, committed ${built.record.sha256}`
        return [`${built.name}, built again in another folder: ${found}`]
      }
    }
    const searchAgain = compileSearch(toolchain, places)
    if (!searchAgain.equals(search)) return ['search.wasm, built again in another folder, is another']
    console.log(`rebuild: every byte the same, from another folder and another home, by ${toolchain.version}`)
    return knownAnswers(compile(toolchain, places, ['primitives']), join(scratch, 'primitives.wasm'))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Runs published test vectors against a build that exports the primitives themselves. @param {Buffer} wasm @param {string} file */
function knownAnswers(wasm, file) {
  writeFileSync(file, wasm)
  const ran = spawnSync('npx', ['vitest', 'run', 'packages/enclave/src/vectors/known-answers.test.ts'], {
    cwd: ROOT,
    env: { ...process.env, KEYHOLE_PRIMITIVES: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return ran.status === 0 ? [] : ['known answers do not hold in a build with the feature `primitives`']
}
