import type { EvaluatePolicyResult } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { simplify } from '../policy/simplify.ts'
import { asStatement, type Statement } from '../policy/statement.ts'
import { type Scope, selectorWords } from '../words/policy.ts'
import { excerpt, valueWords } from '../words/value.ts'
import { limitText, simpleLimit } from './limits.ts'

/** One link of a chain, with what limits a call. */
export interface LimitLink {
  command: string
  policy: readonly unknown[]
}

/** Why a link refuses a call. `link` counts from zero at the root. */
export interface Reason {
  link: number
  words: string
}

/** A statement in one line. */
function readStatement(statement: Statement, scope: Scope): string {
  return limitText(simpleLimit(simplify(statement, scope), scope))
}

type Check = EvaluatePolicyResult['checks'][number]

/** The checks in an answer, by link and position. */
class Answers {
  readonly #checks: Map<string, Check>

  constructor(result: EvaluatePolicyResult) {
    this.#checks = new Map(result.checks.map((check) => [key(check.link, check.statement), check]))
  }

  at(link: number, path?: readonly number[]): Check | undefined {
    return this.#checks.get(key(link, path))
  }
}

function key(link: number, path: readonly number[] | undefined): string {
  return `${link}:${path === undefined ? 'command' : path.join('.')}`
}

function leafReason(statement: Statement & { selector: string }, check: Check, scope: Scope): string {
  const needed = readStatement(statement, scope)
  const field = selectorWords(statement.selector, scope)
  if (check.resolved === false) return t`It needs: ${needed}. The call has nothing at ${field}.`
  if (check.found === undefined) return t`It needs: ${needed}. What the call has there is too long to show.`
  if (check.found === null) return t`It needs: ${needed}. The call leaves ${field} out.`
  return t`It needs: ${needed}. The call has ${valueWords(check.found, excerpt)}.`
}

/** Why a statement isn't true, down to the call's own values. */
function reasons(
  answers: Answers,
  link: number,
  path: readonly number[],
  statement: Statement,
  scope: Scope,
): string[] {
  const check = answers.at(link, path)
  if (check === undefined || check.holds === true) return []
  const words = readStatement(statement, scope)
  if (check.holds === null) return [t`It takes too much work to tell whether this holds: ${words}.`]
  const inside = (inner: Statement, positions: readonly number[], within = scope) =>
    reasons(answers, link, [...path, ...positions], inner, within)
  switch (statement.kind) {
    case 'compare':
    case 'like':
      return [leafReason(statement, check, scope)]
    case 'and':
      return statement.of.flatMap((inner, at) => inside(inner, [1, at]))
    case 'or':
      return [
        t`At least one of these must be true, and none is:`,
        ...statement.of.flatMap((inner, at) => inside(inner, [1, at])),
      ]
    case 'not':
      return [t`This must not be true, but is: ${readStatement(statement.of, scope)}.`]
    case 'all':
    case 'any': {
      const list = selectorWords(statement.selector, scope)
      if (check.item !== undefined) {
        const number = check.item + 1
        return inside(statement.of, [2], 'item').map((reason) => t`Item ${number} of ${list}: ${reason}`)
      }
      return [t`It needs: ${words}. No item of ${list} in the call is like that.`]
    }
  }
}

/** Why a call is refused: which statement of which link, what the call had, and what it would need. Empty if it is allowed. */
export function refusalReasons(
  links: readonly LimitLink[],
  call: { command: string },
  result: EvaluatePolicyResult,
): Reason[] {
  const answers = new Answers(result)
  const found: Reason[] = []
  links.forEach(({ command, policy }, link) => {
    if (answers.at(link)?.holds === false) {
      const next = links[link + 1]?.command
      const words =
        next === undefined
          ? t`The grant is for ${command}, and the call asks for ${call.command}.`
          : t`This link gives ${command}, and the next one takes ${next}.`
      found.push({ link, words })
    }
    policy.forEach((statement, at) => {
      const read = asStatement(statement)
      if ('problem' in read) return
      for (const words of reasons(answers, link, [at], read, 'call')) found.push({ link, words })
    })
  })
  if (found.length === 0 && !result.allowed) {
    const last = links.length - 1
    found.push({ link: last, words: t`The policy takes too much work to check, and is refused for that.` })
  }
  return found
}
