// Options are checked when something is made. A mistake that shows only as a refused call is hard to find, and one that
// shows as an authorized call is a hole.
import { VerifyError } from './errors.ts'

/** What an option must be. */
export interface OptionRule {
  isRight(value: unknown): boolean
  /** Completes the sentence "`name` must be …". */
  readonly must: string
  readonly isRequired?: true
}

export const FUNCTION: OptionRule = { isRight: (value) => typeof value === 'function', must: 'a function' }

/** @throws VerifyError INVALID_OPTIONS always */
export function invalidOptions(message: string): never {
  throw invalid(message)
}

const invalid = (message: string) => new VerifyError('INVALID_OPTIONS', message)

/**
 * Checks options by their rules.
 * @param name of the argument that they are
 * @param example of that argument
 * @throws VerifyError INVALID_OPTIONS if they aren't an object, one is missing or wrong, or there is no such option
 */
export function checkOptions(
  name: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
  example: string,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalid(`\`${name}\` must be an object, such as ${example}.`)
  const unknown = Object.keys(options).find((each) => !Object.hasOwn(rules, each))
  if (unknown !== undefined)
    invalidOptions(
      `\`${name}\` has no option \`${unknown.slice(0, 40)}\`. It takes ${Object.keys(rules)
        .map((each) => `\`${each}\``)
        .join(', ')}.`,
    )
  for (const [option, { isRight, must, isRequired }] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, option)
    if (value === undefined ? isRequired : !isRight(value)) invalidOptions(`\`${option}\` must be ${must}.`)
  }
}

/** @throws VerifyError INVALID_OPTIONS if it isn't the path of a folder */
export function checkFolder(folder: unknown): void {
  if (typeof folder !== 'string' || folder === '')
    invalidOptions('`folder` must be the path of a folder for the store, such as ./claims.')
}

/** A value for a message; a long one is cut. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value).slice(0, 40)
}
