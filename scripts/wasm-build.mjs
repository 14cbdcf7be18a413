// Builds the enclave plugin, without and with devices, and the client's search module, and records what they were built from. Usage: npm run wasm:build
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ARTEFACT_FILE,
  artefactSource,
  compile,
  compileSearch,
  DEVICES_FEATURES,
  DEVICES_FILE,
  DEVICES_RECORD,
  DIST,
  EXPORTS_FILE,
  exportsSource,
  findToolchain,
  RECORD_FILE,
  ROOT,
  recordOf,
  SEARCH_FILE,
  SEARCH_RECORD,
  SERVICE_ARGUMENTS,
  SERVICE_FILE,
  SERVICE_RECORD,
  searchRecord,
  sourcesDigest,
  WASM_FILE,
} from './wasm-toolchain.mjs'

const toolchain = findToolchain({ install: true })
const before = sourcesDigest(ROOT)
const wasm = compile(toolchain, { root: ROOT, target: join(ROOT, 'target/wasm') })
const devices = compile(toolchain, { root: ROOT, target: join(ROOT, 'target/wasm') }, DEVICES_FEATURES)
const service = compile(toolchain, { root: ROOT, target: join(ROOT, 'target/wasm') }, [], SERVICE_ARGUMENTS)
const search = compileSearch(toolchain, { root: ROOT, target: join(ROOT, 'target/wasm') })
const record = await recordOf(wasm, toolchain.version, ROOT)
const devicesRecord = await recordOf(devices, toolchain.version, ROOT)
const serviceRecord = await recordOf(service, toolchain.version, ROOT)
if (record.sources !== before) {
  console.error('wasm:build: the sources changed while they were compiled; run it again.')
  process.exit(1)
}
mkdirSync(DIST, { recursive: true })
mkdirSync(join(ARTEFACT_FILE, '..'), { recursive: true })
writeFileSync(WASM_FILE, wasm)
writeFileSync(RECORD_FILE, `${JSON.stringify(record, null, 2)}\n`)
writeFileSync(DEVICES_FILE, devices)
writeFileSync(DEVICES_RECORD, `${JSON.stringify(devicesRecord, null, 2)}\n`)
writeFileSync(SERVICE_FILE, service)
writeFileSync(SERVICE_RECORD, `${JSON.stringify(serviceRecord, null, 2)}\n`)
writeFileSync(ARTEFACT_FILE, artefactSource(record, devicesRecord, serviceRecord, ROOT))
writeFileSync(EXPORTS_FILE, exportsSource(record, devicesRecord))
writeFileSync(SEARCH_FILE, search)
writeFileSync(SEARCH_RECORD, searchRecord(search, toolchain.version, ROOT))
console.log(`search.wasm: ${search.length} bytes`)
console.log(`enclave.wasm: ${record.bytes} bytes, sha256 ${record.sha256}`)
console.log(`enclave-service.wasm: ${serviceRecord.bytes} bytes, sha256 ${serviceRecord.sha256}`)
console.log(`enclave-devices.wasm: ${devicesRecord.bytes} bytes, sha256 ${devicesRecord.sha256}`)
console.log(
  `${record.exports.length} exports, ${devicesRecord.exports.length} with devices, built by ${record.compiler}`,
)
