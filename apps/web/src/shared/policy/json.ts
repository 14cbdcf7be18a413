import { t } from '@lingui/core/macro'
import { visibleJson } from '../text/visible.ts'
import type { Problem } from './statement.ts'

/** Deeper than a token may nest. */
const DEEPEST = 128

/**
 * JSON as text, with integers of any size as digits, indented by two spaces per level. `JSON.stringify` refuses a bigint, which policies
 * and arguments have. Invisible characters are written as their codes.
 */
export function exactJson(value: unknown, indent = ''): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const flat = `[${value.map((item) => exactJson(item)).join(', ')}]`
    if (flat.length <= 64 && !flat.includes('\n')) return flat
    const inner = `${indent}  `
    return `[\n${value.map((item) => inner + exactJson(item, inner)).join(',\n')}\n${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (entries.length === 0) return '{}'
    const inner = `${indent}  `
    const lines = entries.map(
      ([key, item]) => `${inner}${visibleJson(JSON.stringify(key))}: ${exactJson(item, inner)}`,
    )
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  // A whole float beyond 2^53 keeps its exponent. Without it, it would read back as an integer.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential()
  return visibleJson(JSON.stringify(value) ?? 'null')
}

/** Reads JSON strictly: integers beyond 2^53 as bigint, duplicate keys refused, and errors with their position. */
export function readJson(text: string): { value: unknown } | Problem {
  try {
    return { value: new Reader(text).read() }
  } catch (error) {
    if (error instanceof JsonProblem) return { problem: error.message }
    throw error
  }
}

class JsonProblem extends Error {}

class Reader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  read(): unknown {
    const value = this.value(0)
    this.space()
    if (this.at < this.text.length) this.fail(t`there is something after the end`)
    return value
  }

  private fail(what: string): never {
    const before = this.text.slice(0, this.at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    const line = before.length
    throw new JsonProblem(t`This is not JSON: line ${line}, column ${column}: ${what}.`)
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text.charAt(this.at))) this.at += 1
  }

  private take(char: string): boolean {
    this.space()
    if (this.text.charAt(this.at) !== char) return false
    this.at += 1
    return true
  }

  private value(depth: number): unknown {
    if (depth > DEEPEST) this.fail(t`it is nested more than 128 deep`)
    this.space()
    if (this.take('[')) return this.list(depth)
    if (this.take('{')) return this.map(depth)
    if (this.text.charAt(this.at) === '"') return this.string()
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    return this.number()
  }

  private list(depth: number): unknown[] {
    const items: unknown[] = []
    if (this.take(']')) return items
    do items.push(this.value(depth + 1))
    while (this.take(','))
    if (!this.take(']')) this.fail(t`a list needs a comma or a closing ]`)
    return items
  }

  private map(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    if (this.take('}')) return {}
    do {
      this.space()
      if (this.text.charAt(this.at) !== '"') this.fail(t`a name in double quotes is expected`)
      const key = this.string()
      if (entries.has(key)) this.fail(t`the name “${key}” is used twice`)
      if (!this.take(':')) this.fail(t`a colon is expected after the name`)
      entries.set(key, this.value(depth + 1))
    } while (this.take(','))
    if (!this.take('}')) this.fail(t`a map needs a comma or a closing }`)
    return Object.fromEntries(entries)
  }

  private string(): string {
    const pattern = /"(?:[^"\\]|\\.)*"/sy
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) return this.fail(t`a text in double quotes does not end`)
    try {
      const string = String(JSON.parse(found[0]))
      this.at += found[0].length
      return string
    } catch {
      return this.fail(t`this text has a line break or a wrong escape in it`)
    }
  }

  private number(): number | bigint {
    const pattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) {
      return this.fail(
        this.at >= this.text.length
          ? t`it ends too early`
          : t`a value is expected; texts stand in double quotes`,
      )
    }
    this.at += found[0].length
    const number = Number(found[0])
    const integer = found[1] === undefined && found[2] === undefined
    if (!integer && !Number.isFinite(number))
      return this.fail(t`this number is larger than any that a token holds`)
    return integer && !Number.isSafeInteger(number) ? BigInt(found[0]) : number
  }
}
