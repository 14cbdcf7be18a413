import { t } from '@lingui/core/macro'

/**
 * One part of a selector: `.name`, `["any key"]`, `[]`, `[0]`, `[-1]`, a slice, each with an optional `?`. A part in
 * brackets may also follow a dot that starts the selector.
 */
const PART =
  /^(?:\.[A-Za-z_][A-Za-z0-9_-]*|\.?\["(?:[^"\\]|\\.)*"\]|\.?\[\]|\.?\[-?\d+\]|\.?\[(?:-?\d+)?:(?:-?\d+)?\])\?*/

/** Why a text is no selector, in words, or undefined when it is one. */
export function selectorProblem(selector: string): string | undefined {
  if (/^\.\?*$/.test(selector)) return undefined
  if (selector === '') return t`Name the field, such as .amount, or a single dot for the whole request.`
  if (!selector.startsWith('.')) return t`A field starts with a dot: “.${selector.slice(0, 40)}”.`
  let rest = selector
  while (rest !== '') {
    const part = PART.exec(rest)
    if (!part) return t`The field “${selector.slice(0, 60)}” cannot be read from “${rest.slice(0, 20)}” on.`
    rest = rest.slice(part[0].length)
  }
  return undefined
}
