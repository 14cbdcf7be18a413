export { ENCLAVE_VERSION, WASM_SHA256 } from './artefact.ts'
export { createEnclave } from './create-enclave.ts'
export { type Declared, declaredOf } from './declared.ts'
export { EnclaveError, type EnclaveErrorCode, isRefusal } from './errors.ts'
export { parseJson, stringifyJson } from './json.ts'
export { cdnUrl, type LoadedWasm, type LoadOptions, loadWasm } from './loader.ts'
export {
  type BatchInput,
  type BatchOptions,
  type BatchProgress,
  createPool,
  type Pool,
  type PoolOptions,
} from './pool.ts'
export type * from './results.ts'
export type * from './types.ts'
