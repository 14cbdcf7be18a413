// Builds the enclave plugin and records what it was built from. Usage: npm run wasm:build
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ARTEFACT_FILE,
  artefactSource,
  compile,
  DIST,
  findToolchain,
  RECORD_FILE,
  ROOT,
  recordOf,
  sourcesDigest,
  WASM_FILE,
} from './wasm-toolchain.mjs'

const toolchain = findToolchain({ install: true })
const before = sourcesDigest(ROOT)
const wasm = compile(toolchain, { root: ROOT, target: join(ROOT, 'target/wasm') })
const record = await recordOf(wasm, toolchain.version, ROOT)
if (record.sources !== before) {
  console.error('wasm:build: the sources changed while they were compiled; run it again.')
  process.exit(1)
}
mkdirSync(DIST, { recursive: true })
mkdirSync(join(ARTEFACT_FILE, '..'), { recursive: true })
writeFileSync(WASM_FILE, wasm)
writeFileSync(RECORD_FILE, `${JSON.stringify(record, null, 2)}\n`)
writeFileSync(ARTEFACT_FILE, artefactSource(record.sha256, ROOT))
console.log(`enclave.wasm: ${record.bytes} bytes, sha256 ${record.sha256}`)
console.log(`${record.exports.length} exports, built by ${record.compiler}`)
