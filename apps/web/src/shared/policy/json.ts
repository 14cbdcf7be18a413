import { t } from '@lingui/core/macro'
import { visibleJson } from '../text/visible.ts'
import type { Problem } from './statement.ts'

/** Deeper than a token may nest. */
const DEEPEST = 128

function plainValue(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  // A whole float beyond 2^53 keeps its exponent. Without it, it would read back as an integer.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential()
  return JSON.stringify(value) ?? 'null'
}

/** JSON in one line, or what is between its brackets: in a list or map over several lines. */
type Written = string | { readonly brackets: string; readonly items: readonly (readonly [string, Written])[] }

/** Each value is written once, from the inside out, so that the work grows with the value and not with its depth. */
function written(value: unknown, write: (value: unknown) => string): Written {
  if (typeof value !== 'object' || value === null) return write(value)
  const isList = Array.isArray(value)
  const items = Object.entries(value)
    .filter(([, item]) => isList || item !== undefined)
    .map(([key, item]) => [isList ? '' : `${write(key)}: `, written(item, write)] as const)
  const brackets = isList ? '[]' : '{}'
  if (items.length === 0) return brackets
  if (isList && items.every(([, item]) => typeof item === 'string')) {
    const line = `[${items.map(([, item]) => item).join(', ')}]`
    if (line.length <= 64) return line
  }
  return { brackets, items }
}

function printed(json: Written, step: string): string {
  const pieces: string[] = []
  const print = (each: Written, indent: string): void => {
    if (typeof each === 'string') {
      pieces.push(each)
      return
    }
    const inner = indent + step
    let open = each.brackets.charAt(0)
    for (const [name, item] of each.items) {
      pieces.push(open, inner, name)
      print(item, inner)
      open = ','
    }
    pieces.push(indent, each.brackets.charAt(1))
  }
  print(json, '\n')
  return pieces.join('')
}

/**
 * JSON as text, with integers of any size as digits, indented by two spaces per level. `JSON.stringify` refuses a bigint, which policies
 * and arguments have. Invisible characters are written as their codes.
 */
export function exactJson(value: unknown): string {
  return printed(
    written(value, (each) => visibleJson(plainValue(each))),
    '  ',
  )
}

/** JSON for comparing, never for showing: as `exactJson`, but with every character as it is, and not indented. */
export function plainJson(value: unknown): string {
  return printed(written(value, plainValue), '')
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
        this.at >= this.text.length ? t`it ends too early` : t`a value is expected; texts need double quotes`,
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
