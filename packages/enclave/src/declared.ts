import { EXPORTS } from './artefact.ts'
import type { EnclaveExport } from './types.ts'

/** What the plugin declares of an export: read out of the artefact, never written down here. */
export interface Declared {
  /** It changes what other clients of an instance see. */
  readonly changesVault?: boolean
  /** Its input holds a secret. */
  readonly holdsSecrets?: boolean
  /** It answers the same without an account, and needs no secret. */
  readonly keyless?: boolean
  /** The fields of its input, a text or a list of texts each, that strangers write. */
  readonly strangers?: readonly string[]
}

const declared = new Map<string, Declared>(Object.entries(EXPORTS satisfies Record<EnclaveExport, Declared>))
const NOTHING: Declared = {}

/** What is declared of a call; nothing of a name that is no export's. */
export function declaredOf(name: string): Declared {
  return declared.get(name) ?? NOTHING
}

/** Whether a call is one that changes what other clients see. */
export function isChange(name: string): name is EnclaveExport {
  return declaredOf(name).changesVault === true
}
