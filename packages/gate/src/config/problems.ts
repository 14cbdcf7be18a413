// What is wrong with a configuration, in words.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** What a value must be, by the schema's name for its type. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}
/** What a bound counts, by the schema's name for the type. */
const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** What is wrong, each with its place. Of several possible forms, what the closest one lacks. */
export function problemsOf(issues: readonly Issue[], place: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...place, ...issue.path]
    const [closest] = issue.code === 'invalid_union' ? issue.errors.toSorted(byWrongFields) : []
    if (closest) return problemsOf(closest, path)
    return [`${path.join('.') || 'the file'}: ${issue.message}`]
  })
}

/** The sentence for what the schema itself doesn't explain. */
export function sayProblem(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${KINDS[issue.expected] ?? 'of another type'}`
    case 'unrecognized_keys': {
      const names = issue.keys.map((key) => `“${key.slice(0, 60)}”`).join(', ')
      return `there is no setting ${names} here`
    }
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum)
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum)
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'invalid_key': {
      const [why] = issue.issues
      return why?.code === 'custom' ? why.message : 'this name is not allowed'
    }
    case 'invalid_format':
      return issue.format === 'url' ? 'must be a URL with http or https' : 'has a form that is not allowed'
    default:
      return 'has a form that is not allowed'
  }
}

function bound(of: string, which: string, count: number | bigint): string {
  const counted = COUNTED[of]
  return counted ? `must have ${which} ${count}${counted}` : `must be ${which} ${count}`
}

function byWrongFields(a: readonly Issue[], b: readonly Issue[]): number {
  const count = (issues: readonly Issue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  return count(a) - count(b)
}
