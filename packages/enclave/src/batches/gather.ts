import { stringifyJson } from '../json.ts'

/** Most invocations that are asked about together: the plugin reads so many at a time, and more make none of them cheaper. */
const MOST = 64
/** Characters of token text that go together at most, and longest text of one that goes with others. */
const MOST_TEXT = 256 * 1024
const LONGEST = 64 * 1024

/** One invocation, and as JSON text what it is checked against. */
export interface Asked {
  readonly invocation: string
  readonly checks: string
}

/** The parts of an input of `validate_invocation`, where it is one that can be asked about with others. */
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

/** The input of `validate_batch` for what is checked against the same. */
export function inputOfMany(asked: readonly Asked[]): string {
  const invocations = JSON.stringify(asked.map(({ invocation }) => invocation))
  return withChecks(`"invocations":${invocations}`, asked[0]?.checks ?? '{}')
}

function withChecks(field: string, checks: string): string {
  return checks === '{}' ? `{${field}}` : `{${field},${checks.slice(1)}`
}

/**
 * Puts those together that are checked against the same. Of two with one text each gets a call of its own: of a batch the second would
 * be a replay.
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
