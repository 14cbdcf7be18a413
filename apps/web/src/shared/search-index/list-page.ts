import type { TokenSource, TokenType } from '@keyhole/vault/token-reader'
import { listedTokens } from './listed-tokens.ts'
import type { PageHelp } from './page-help.ts'
import type { SearchModule } from './search-module.ts'
import { isGiven, TokenIndex, TYPES } from './token-index.ts'
import type { ListedTokens, TokenQuery } from './token-messages.ts'

/** The most records of each sort to read for a first page: one in ten may be of its list. */
const MOST = 500

/** The types of the lists whose first page can be known without reading everything. */
const LISTS: Partial<Record<TokenQuery['list'], readonly TokenType[]>> = {
  given: TYPES.filter((type) => isGiven({ type })),
  received: ['received'],
}

export interface PageParts {
  readonly reader: TokenSource
  readonly help: PageHelp
  readonly isUnlocked: boolean
}

/** A page of a list, from an index. Of what it shows, chains and labels are read first. */
export async function listPage(
  index: TokenIndex,
  { reader, help, isUnlocked }: PageParts,
  query: TokenQuery,
  now: number,
): Promise<ListedTokens> {
  let { rows, total } = index.page(query, now)
  // In a list of active grants, others move up where some turn out to have ended.
  for (
    let unread = index.unread(query.limit, now, rows);
    unread.length > 0;
    unread = index.unread(query.limit, now, rows)
  ) {
    await help.readAbove(index, reader, unread)
    ;({ rows, total } = index.page(query, now))
  }
  const sealed = rows.flatMap(({ id, sealedLabel }) => (sealedLabel === undefined ? [] : { id, sealedLabel }))
  if (isUnlocked) await help.openLabels(index, sealed)
  return { tokens: await listedTokens(index, reader, rows), offset: query.offset ?? 0, total }
}

/**
 * The first page of a list, with the rows that it has once all tokens are read. Reads only what the list begins with.
 * @param module one with an empty index
 * @returns undefined if only reading all of them tells
 */
export async function firstPage(
  module: SearchModule,
  parts: PageParts,
  query: TokenQuery,
  now: number,
): Promise<ListedTokens | undefined> {
  const { list, live, people, offset = 0, limit } = query
  const types = LISTS[list]
  if (!types || people || offset > 0) return undefined
  const first = await parts.reader.first({ types, now, most: MOST })
  if (!first) return undefined
  const index = new TokenIndex(module)
  index.add(await parts.help.complete([...first.tokens, ...first.revocations]))
  const page = await listPage(index, parts, query, now)
  const isFull = page.total >= limit
  // Active ones beyond this page aren't counted: it isn't read what they came from.
  if (first.isAll && (!live || !isFull)) return page
  return isFull ? { ...page, total: page.tokens.length, isFirst: true } : undefined
}
