import { asStatement, type Statement } from '../policy/statement.ts'

/** A call to try a policy with. */
export interface ExampleCall {
  command: string
  args: Record<string, unknown>
}

/** A selector's plain steps, such as `.a["b c"].d`. Undefined if it has steps that an example can't follow. */
function stepsOf(selector: string): string[] | undefined {
  if (selector === '.') return []
  const steps: string[] = []
  let rest = selector
  while (rest !== '') {
    const found = /^(?:\.([A-Za-z_][A-Za-z0-9_-]*)|\.?\[("(?:[^"\\]|\\.)*")\])\?*/.exec(rest)
    if (!found) return undefined
    const quoted: unknown = found[2] === undefined ? found[1] : JSON.parse(found[2])
    steps.push(String(quoted))
    rest = rest.slice(found[0].length)
  }
  return steps
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value with another one set at the end of some steps, replacing what was there. */
function put(value: unknown, steps: readonly string[], inner: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return inner
  const map = isMap(value) ? value : {}
  return { ...map, [step]: put(Object.hasOwn(map, step) ? map[step] : undefined, rest, inner) }
}

/** A number just beyond another one. */
function beside(value: unknown, by: 1 | -1): unknown {
  if (typeof value === 'bigint') return value + BigInt(by)
  return typeof value === 'number' ? value + by : by
}

/** A text that matches a pattern. */
function textFor(pattern: string): string {
  return pattern.replace(/(?<!\\)\*/g, 'example').replaceAll('\\*', '*')
}

/** A value that makes a statement about a field true. */
function fittingValue(statement: Statement): unknown {
  switch (statement.kind) {
    case 'compare':
      if (statement.operator === '!=') return statement.value === 'example' ? 'another' : 'example'
      if (statement.operator === '<') return beside(statement.value, -1)
      return statement.operator === '>' ? beside(statement.value, 1) : statement.value
    case 'like':
      return textFor(statement.pattern)
    case 'all':
    case 'any':
      return [fit(undefined, statement.of)]
    default:
      return undefined
  }
}

function fit(value: unknown, statement: Statement): unknown {
  switch (statement.kind) {
    case 'and':
      return statement.of.reduce(fit, value)
    case 'or':
      return statement.of.slice(0, 1).reduce(fit, value)
    case 'not':
      return value
    default: {
      const steps = stepsOf(statement.selector)
      return steps === undefined ? value : put(value, steps, fittingValue(statement))
    }
  }
}

/** A value that makes a statement false, if an example can do that. */
function breakIt(value: unknown, statement: Statement): unknown {
  switch (statement.kind) {
    case 'and':
      return statement.of.slice(0, 1).reduce(breakIt, value)
    case 'or':
      return statement.of.reduce(breakIt, value)
    case 'not':
      return fit(value, statement.of)
    case 'all':
    case 'any': {
      const steps = stepsOf(statement.selector)
      const item = breakIt(fit(undefined, statement.of), statement.of)
      return steps === undefined ? value : put(value, steps, [item])
    }
    case 'compare':
    case 'like': {
      const steps = stepsOf(statement.selector)
      return steps === undefined ? value : put(value, steps, unfittingValue(statement))
    }
  }
}

function unfittingValue(statement: Extract<Statement, { kind: 'compare' | 'like' }>): unknown {
  if (statement.kind === 'like') return 'something else'
  switch (statement.operator) {
    case '!=':
    case '<':
    case '>':
      return statement.value
    case '<=':
      return beside(statement.value, 1)
    case '>=':
      return beside(statement.value, -1)
    case '==':
      if (typeof statement.value === 'boolean') return !statement.value
      return typeof statement.value === 'number' || typeof statement.value === 'bigint'
        ? beside(statement.value, 1)
        : 'something else'
  }
}

function statementsOf(policy: readonly unknown[]): Statement[] {
  return policy.map((each) => asStatement(each)).filter((each): each is Statement => !('problem' in each))
}

/** Arguments that should match a policy. Only the enclave can say whether they do. */
export function fitting(policy: readonly unknown[]): Record<string, unknown> {
  const args = statementsOf(policy).reduce<unknown>(fit, {})
  return isMap(args) ? args : {}
}

/** A call that matches except for one thing: the first limit or, without limits, the command. */
export function unfitting(command: string, policy: readonly unknown[]): ExampleCall {
  const args = fitting(policy)
  const [first] = statementsOf(policy)
  if (first === undefined) return { command: command === '/' ? command : '/other', args }
  const broken = breakIt(args, first)
  return { command, args: isMap(broken) ? broken : {} }
}
