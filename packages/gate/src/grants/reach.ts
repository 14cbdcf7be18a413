// What a grant can reach, before the arguments of a call are known: for lists. A call itself is checked by the verifier.

/** What is known of a call. */
export type Known = Readonly<Record<string, string>>

export interface Grantlike {
  readonly command: string
  readonly policy: readonly unknown[]
}

/** Whether a command also allows another, segment by segment: `/crypto` covers `/crypto/sign` but not `/cryptocurrency`. */
export function covers(command: string, other: string): boolean {
  return command === '/' || other === command || other.startsWith(`${command}/`)
}

/** Whether a grant may allow some call of a command with these fields. False only if it allows none. */
export function canReach({ command, policy }: Grantlike, called: string, known: Known): boolean {
  return covers(command, called) && policy.every((statement) => judge(statement, known) !== false)
}

/** True, false, or undefined if it depends on what is not known. */
function judge(statement: unknown, known: Known): boolean | undefined {
  if (!Array.isArray(statement)) return undefined
  const [op, first, second] = statement
  if (op === 'not') {
    const inner = judge(first, known)
    return inner === undefined ? undefined : !inner
  }
  if ((op === 'and' || op === 'or') && Array.isArray(first)) {
    const inner = first.map((each) => judge(each, known))
    if (op === 'and') return inner.includes(false) ? false : inner.includes(undefined) ? undefined : true
    return first.length === 0 || inner.includes(true) ? true : inner.includes(undefined) ? undefined : false
  }
  const [, dotted, quoted] = /^\.(?:([A-Za-z_][\w-]*)|\["([\w-]+)"\])\??$/.exec(String(first)) ?? []
  const name = dotted ?? quoted
  const value = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
  if (value === undefined) return undefined
  if (op === '==') return value === second
  if (op === '!=') return value !== second
  if (op === 'like' && typeof second === 'string') return isLike(value, second)
  return undefined
}

/** Whether a text fits a pattern of UCAN's `like`. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...middle] = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'))
  const last = middle.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let at = first.length
  return middle.every((part) => {
    const found = text.indexOf(part, at)
    at = found + part.length
    return found >= 0 && at <= text.length - last.length
  })
}
