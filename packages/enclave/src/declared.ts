import { DECLARED } from './generated/artefact.ts'
import type { AnyExport } from './types.ts'

/** What the plugin declares about an export. It is read from the artefact, not maintained by hand. */
export interface Declared {
  /** It changes what other clients of the instance see. */
  readonly changesVault?: boolean
  /** Its input contains a secret. */
  readonly holdsSecrets?: boolean
  /** It answers the same without an account, and needs no secret. */
  readonly keyless?: boolean
  /** What it changes is the same on all devices of an account. The name of such changes in `propose_head`, as the only element. */
  readonly forAllDevices?: readonly string[]
  /** Input fields (a text or a list of texts each) that come from strangers. */
  readonly strangers?: readonly string[]
}

const declared = new Map<string, Declared>(
  Object.entries(DECLARED satisfies Partial<Record<AnyExport, Declared>>),
)
const NOTHING: Declared = {}

/** What is declared about an export; empty for an unknown name. */
export function declaredOf(name: string): Declared {
  return declared.get(name) ?? NOTHING
}

/** Whether a call changes what other clients see. */
export function isChange(name: string): name is AnyExport {
  return declaredOf(name).changesVault === true
}
