export { createEnclave } from './create-enclave.ts'
export { type Declared, declaredOf } from './declared.ts'
export { compileEnclave } from './direct/compile-enclave.ts'
export type { Clock } from './direct/direct-plugin.ts'
export { createVerifier, type KeylessExport, type Verifier, type VerifierOptions } from './direct/verifier.ts'
export { answerOf, EnclaveError, type EnclaveErrorCode, isRefusal } from './errors.ts'
export { DEVICES_WASM_SHA256, ENCLAVE_VERSION, WASM_SHA256 } from './generated/artefact.ts'
export type {
  AskedPayment,
  ChainLink,
  DeviceContract,
  DeviceStatus,
  EffectiveDelegation,
  EnclaveContract,
  EnclaveKey,
  EnclaveMandate,
  EnclaveStatus,
  KeyType,
  MandateBudget,
  MandateUse,
  PaymentTerms,
  RefusalArgs,
  RefusalName,
  RefusalReason,
  TokenError,
  TokenErrorName,
  UnlockMethod,
  UnlockProofInput,
  UsedDocument,
  ValidationResult,
  ValidInvocation,
  ValidToken,
} from './generated/contract.ts'
export { isAnswer, isDeviceAnswer, mayRefuse } from './is-answer.ts'
export { parseJson, stringifyJson } from './json.ts'
export { cdnUrl, type LoadedWasm, type LoadOptions, loadWasm } from './loading/loader.ts'
export { createPool } from './pool/create-pool.ts'
export type { BatchInput, BatchOptions, BatchProgress, Pool, PoolOptions } from './pool/pool.ts'
export { tokenCid } from './token-cid.ts'
export { TypedCalls } from './typed-calls.ts'
export type * from './types.ts'
