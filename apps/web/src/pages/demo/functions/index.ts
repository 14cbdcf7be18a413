import type { FunctionGroup, PluginFunction } from './function.ts'
import { PAYMENTS } from './payments.ts'
import { KEYS, SIGNING } from './signing.ts'
import { AUTHORITY, TOKENS } from './tokens.ts'
import { KEEPING, LIFE, UNLOCKING } from './vault.ts'

/** All functions of the plugin, in the order people meet them. */
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

/** Shown if none was chosen, or one that doesn't exist. */
export function functionNamed(name: string | undefined): PluginFunction {
  const found = FUNCTIONS.find((each) => each.name === name) ?? FUNCTIONS[0]
  if (!found) throw new Error('The plugin has no functions.')
  return found
}
