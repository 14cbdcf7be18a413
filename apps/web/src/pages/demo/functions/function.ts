import type { EnclaveExport } from '@keyhole/enclave'
import type { MessageDescriptor } from '@lingui/core'
import type { Sandbox } from '../engine/sandbox.ts'

/** A function of the plugin, with an input that works in the sandbox. */
export interface PluginFunction {
  readonly name: EnclaveExport
  /** What it does, in a line. */
  readonly note: MessageDescriptor
  /** What goes in at first; it may take other calls to come by. */
  readonly input: (sandbox: Sandbox) => unknown
  /** Whether any enclave can do it, without a vault. */
  readonly keyless?: true
}

/** Functions that belong together. */
export interface FunctionGroup {
  readonly id: string
  readonly name: MessageDescriptor
  readonly functions: readonly PluginFunction[]
}
