import type { EnclaveExport } from '@keyhole/enclave'
import type { MessageDescriptor } from '@lingui/core'
import type { Sandbox } from '../engine/sandbox.ts'

/** A function of the plugin, with an input that works in the sandbox. */
export interface PluginFunction {
  readonly name: EnclaveExport
  /** What it does, in a line. */
  readonly note: MessageDescriptor
  /** The initial input. Preparing it may need other calls. */
  readonly input: (sandbox: Sandbox) => unknown
  /** Whether an enclave without a vault can do it. */
  readonly keyless?: true
}

/** A group of functions. */
export interface FunctionGroup {
  readonly id: string
  readonly name: MessageDescriptor
  readonly functions: readonly PluginFunction[]
}
