// A request as the call of a `/http/…` command.
import { areClear } from './query-names.ts'

/** A command and its arguments. */
export interface HttpCall {
  /** `/http/` and the method in lower case. */
  readonly command: string
  readonly args: {
    readonly service: string
    /** The path, decoded. */
    readonly path: string
    /** The parameters, decoded. Omitted if there are none. A repeated one is a list. */
    readonly query?: Readonly<Record<string, string | readonly string[]>>
  }
}

/** Parts of a path that servers read differently. */
const AMBIGUOUS = /[\\%\p{Cc}]|\/\//u
/** `.` and `..`, also with parameters after them, which some servers cut off. */
const DOTS = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/
/** Headers that make some servers use another method or path than the request's. */
export const OVERRIDES = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
] as const

/**
 * Reads a request as a call. Undefined if servers could read it in two ways: then what is compared might not be what is
 * done.
 * @param service the name that grants use for what is called
 * @param target the request's target: its path and query, as sent
 */
export function httpCallOf(service: string, method: string, target: string): HttpCall | undefined {
  if (!/^[A-Z]{1,20}$/.test(method) || !/^\/[\x21-\x7e]*$/.test(target) || target.includes('#'))
    return undefined
  const at = target.indexOf('?')
  const path = pathOf(at < 0 ? target : target.slice(0, at))
  const query = at < 0 ? {} : queryOf(target.slice(at + 1))
  if (path === undefined || query === undefined) return undefined
  const args = { service, path, ...(Object.keys(query).length > 0 && { query }) }
  return { command: `/http/${method.toLowerCase()}`, args }
}

function pathOf(raw: string): string | undefined {
  if (/%2f/i.test(raw)) return undefined
  const path = decoded(raw)
  return path === undefined || AMBIGUOUS.test(path) || DOTS.test(path) ? undefined : path
}

function queryOf(raw: string): Record<string, string | string[]> | undefined {
  const parameters = new Map<string, string[]>()
  for (const part of raw.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decoded((at < 0 ? part : part.slice(0, at)).replaceAll('+', ' '))
    const value = decoded((at < 0 ? '' : part.slice(at + 1)).replaceAll('+', ' '))
    // Some servers treat `;` like `&`.
    if (name === undefined || value === undefined || name === '__proto__' || part.includes(';'))
      return undefined
    // Copying the list each time would cost the square of a long query.
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  if (!areClear([...parameters.keys()])) return undefined
  return Object.fromEntries(
    Array.from(parameters, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

/** Percent-decodes; undefined if it isn't UTF-8 in Unicode's normal form C, so that each text has one spelling. */
function decoded(raw: string): string | undefined {
  try {
    const text = decodeURIComponent(raw)
    return text === text.normalize('NFC') ? text : undefined
  } catch {
    return undefined
  }
}
