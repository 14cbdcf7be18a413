import { t } from '@lingui/core/macro'

export const KINDS = [
  'grant',
  'mandate',
  'received',
  'signed',
  'contact',
  'key',
  'account',
  'session',
  'payment',
  'activity',
] as const
export const STATUSES = ['live', 'soon', 'ended', 'revoked'] as const
export const FILTERS = ['kind', 'status', 'cmd', 'to', 'from', 'after', 'before', 'ends'] as const
export type Kind = (typeof KINDS)[number]
export type Status = (typeof STATUSES)[number]
export type FilterName = (typeof FILTERS)[number]

/** The most words to search for: each one scans everything again, and no one types so many. */
const MAX_WORDS = 32

/** A parsed query. Times in milliseconds since 1970. */
export interface FindQuery {
  /** All of them must be found. */
  readonly words: readonly string[]
  readonly kind?: Kind
  readonly status?: Status
  /** This command, or any under it. */
  readonly command?: string
  /** Part of the DID, address or name of its audience, or of its issuer. */
  readonly to?: string
  readonly from?: string
  /** Stored or done before this moment, or after it. */
  readonly before?: number
  readonly after?: number
  /** Expires before this moment. */
  readonly endsBy?: number
  /** Only these tokens. */
  readonly cids?: readonly string[]
}

/** One part of a query's text: a word, or a filter with its value. */
interface Term {
  /** As it was typed. */
  readonly raw: string
  /** Undefined for a word. */
  readonly name: string | undefined
  readonly value: string
}

/** A filter without meaning, and why. */
export interface QueryProblem {
  readonly raw: string
  readonly why: string
}

export interface ReadQuery {
  readonly query: FindQuery
  readonly problems: readonly QueryProblem[]
  /** The filters as typed, the last of each name. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
}

const TERM = /([a-zA-Z-]+):(?=\s|$)|(?:([a-zA-Z-]+):(?!\/\/))?(?:"([^"]*)"?|(\S+))/g

function terms(text: string): Term[] {
  return [...text.matchAll(TERM)].map(([raw, empty, name, quoted, bare = '']) => {
    const known = name ?? empty
    // did:key:… isn't a filter, and neither is other text that normally contains a colon.
    if (known === undefined || isDidLike(raw)) return { raw, name: undefined, value: quoted ?? raw }
    return { raw, name: known.toLowerCase(), value: quoted ?? bare }
  })
}

function isDidLike(raw: string): boolean {
  return /^(?:did|https?|urn|mailto):/i.test(raw)
}

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text)

/** The day in a filter, starting at midnight in the reader's time zone. */
function day(value: string): { start: number; end: number } | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === undefined) return undefined
  const start = new Date(Number(year), Number(month) - 1, Number(date))
  const same = start.getMonth() === Number(month) - 1 && start.getDate() === Number(date)
  if (!same) return undefined
  return {
    start: start.getTime(),
    end: new Date(Number(year), Number(month) - 1, Number(date) + 1).getTime(),
  }
}

/**
 * Reads a query: words, quoted texts, and filters such as `kind:grant` or `before:2026-12-01`. Unknown or meaningless filters are ignored
 * and explained.
 */
export function readQuery(text: string): ReadQuery {
  const words: string[] = []
  const problems: QueryProblem[] = []
  const filters: Partial<Record<FilterName, string>> = {}
  let query: Omit<FindQuery, 'words'> = {}
  let tooMany: string | undefined
  for (const { raw, name, value } of terms(text)) {
    if (name === undefined) {
      if (value.trim() === '') continue
      if (words.length < MAX_WORDS) words.push(value.toLowerCase())
      else tooMany ??= raw
      continue
    }
    if (!isOneOf(FILTERS, name)) {
      problems.push({ raw, why: unknownFilter(name) })
      continue
    }
    const read = readFilter(name, value)
    if (typeof read === 'string') problems.push({ raw, why: read })
    else {
      query = { ...query, ...read }
      filters[name] = value
    }
  }
  if (tooMany !== undefined)
    problems.push({ raw: tooMany, why: t`Search uses only the first ${MAX_WORDS} words.` })
  return { query: { words, ...query }, problems, filters }
}

/** What a filter selects, or why it has no effect. */
function readFilter(name: FilterName, value: string): Partial<FindQuery> | string {
  if (value === '') return t`Type a value after the colon.`
  switch (name) {
    case 'kind': {
      const kind = value.toLowerCase()
      const all = KINDS.join(', ')
      return isOneOf(KINDS, kind) ? { kind } : t`There’s no such kind. Use one of: ${all}.`
    }
    case 'status': {
      const status = value.toLowerCase()
      const all = STATUSES.join(', ')
      return isOneOf(STATUSES, status) ? { status } : t`There’s no such status. Use one of: ${all}.`
    }
    case 'cmd':
      if (!value.startsWith('/')) return t`A command starts with a slash, as in cmd:/payment.`
      return { command: value.toLowerCase().replace(/(.)\/+$/, '$1') }
    case 'to':
    case 'from':
      return { [name]: value.toLowerCase() }
    default: {
      const found = day(value)
      if (!found) return t`A day is written year-month-day, as in ${name}:2026-12-01.`
      if (name === 'before') return { before: found.start }
      return name === 'after' ? { after: found.start } : { endsBy: found.end }
    }
  }
}

function unknownFilter(name: string): string {
  const all = FILTERS.map((filter) => `${filter}:`).join(' ')
  return t`“${name}” isn’t a filter. Filters are ${all}, and a colon inside quotes is part of a word.`
}

/** A query's text with a filter set, changed or removed. Everything else stays as typed. */
export function withFilter(text: string, name: FilterName, value: string | undefined): string {
  const rest = terms(text)
    .filter((term) => term.name !== name)
    .map(({ raw }) => raw.trim())
  const written =
    value === undefined || value === '' ? [] : [`${name}:${/\s/.test(value) ? `"${value}"` : value}`]
  return [...rest, ...written].filter(Boolean).join(' ')
}
