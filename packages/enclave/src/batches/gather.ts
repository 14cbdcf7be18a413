import { stringifyJson } from '../json.ts'

/** Most invocations per call. The plugin processes that many at a time, so more don't make any of them cheaper. */
const MOST = 64
/** Most characters of token text per call, and the longest text that shares a call. */
const MOST_TEXT = 256 * 1024
const LONGEST = 64 * 1024

/** An invocation, and what it's checked against as JSON text. */
export interface Asked {
  readonly invocation: string
  readonly checks: string
}

/** The parts of an input of `validate_invocation`; undefined if it can't share a call. */
export function partsOf(input: unknown): Asked | undefined {
  if (typeof input !== 'object' || input === null || !('invocation' in input)) return undefined
  if ('toJSON' in input) return undefined
  const { invocation, ...checks } = input
  if (typeof invocation !== 'string' || invocation.length > LONGEST) return undefined
  return { invocation, checks: stringifyJson(checks) }
}

/** The input of `validate_invocation`. */
export function inputOfOne({ invocation, checks }: Asked): string {
  return withChecks(`"invocation":${JSON.stringify(invocation)}`, checks)
}

/** The input of `validate_batch` for invocations with the same checks. */
export function inputOfMany(asked: readonly Asked[]): string {
  const invocations = JSON.stringify(asked.map(({ invocation }) => invocation))
  return withChecks(`"invocations":${invocations}`, asked[0]?.checks ?? '{}')
}

function withChecks(field: string, checks: string): string {
  return checks === '{}' ? `{${field}}` : `{${field},${checks.slice(1)}`
}

/**
 * Groups invocations with the same checks. If two have the same text, the second goes alone, because it would count as
 * a replay in the same batch.
 */
export function gather<Each extends Asked>(asked: readonly Each[]): Each[][] {
  const open = new Map<string, { part: Each[]; texts: Set<string>; length: number }>()
  const parts: Each[][] = []
  for (const each of asked) {
    const { checks, invocation } = each
    let group = open.get(checks)
    if (group?.texts.has(invocation)) {
      parts.push([each])
      continue
    }
    if (!group || group.part.length === MOST || group.length + invocation.length > MOST_TEXT) {
      group = { part: [], texts: new Set(), length: 0 }
      open.set(checks, group)
      parts.push(group.part)
    }
    group.part.push(each)
    group.texts.add(invocation)
    group.length += invocation.length
  }
  return parts
}
