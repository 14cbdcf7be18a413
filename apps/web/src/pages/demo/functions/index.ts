import type { EnclaveExport } from '@keyhole/enclave'
import type { FunctionGroup, PluginFunction } from './function.ts'
import { PAYMENTS } from './payments.ts'
import { KEYS, SIGNING } from './signing.ts'
import { AUTHORITY, TOKENS } from './tokens.ts'
import { KEEPING, LIFE, UNLOCKING } from './vault.ts'

/** Every function of the plugin, those first that one meets first. */
export const GROUPS: readonly FunctionGroup[] = [
  TOKENS,
  AUTHORITY,
  PAYMENTS,
  SIGNING,
  KEYS,
  LIFE,
  UNLOCKING,
  KEEPING,
]

export const FUNCTIONS: readonly PluginFunction[] = GROUPS.flatMap(({ functions }) => functions)

/** What is shown where none was chosen, or one that there is not. */
export function functionNamed(name: string | undefined): PluginFunction {
  const found = FUNCTIONS.find((each) => each.name === name) ?? FUNCTIONS[0]
  if (!found) throw new Error('The plugin has no functions.')
  return found
}

export const FUNCTION_NAMES: readonly EnclaveExport[] = FUNCTIONS.map(({ name }) => name)
