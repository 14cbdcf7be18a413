import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'

/** Someone at the other end of tokens: who gave them, or whom they were given to. */
export interface Party {
  readonly did: string
  /** The next to end first. */
  readonly tokens: readonly ListedToken[]
}

/** The parties of one side of the graph: those to draw, and those that are drawn as one. */
export interface Side {
  readonly shown: readonly Party[]
  readonly others: readonly Party[]
}

/**
 * Who is on one side: those with the most tokens first, and equal ones by their DID, so that the same vault is always
 * drawn the same.
 * @param tokens the next to end first
 */
export function partiesOf(tokens: readonly ListedToken[], end: (token: ListedToken) => string): Party[] {
  const byDid = new Map<string, ListedToken[]>()
  for (const token of tokens) {
    const did = end(token)
    const known = byDid.get(did)
    if (known) known.push(token)
    else byDid.set(did, [token])
  }
  return [...byDid]
    .map(([did, held]) => ({ did, tokens: held }))
    .sort((a, b) => b.tokens.length - a.tokens.length || (a.did < b.did ? -1 : 1))
}

/** Draws at most so many; a single one beyond is drawn too, for a group of one saves nothing. */
export function sideOf(parties: readonly Party[], most: number): Side {
  if (parties.length <= most + 1) return { shown: parties, others: [] }
  return { shown: parties.slice(0, most), others: parties.slice(most) }
}

/** How high each party is drawn, in pixels: one rhythm for the lists and the lines between them. */
export const ROW = 72

/** The middle of a row, where `rows` of them stand centred beside `of`. */
export function rowMiddle(row: number, rows: number, of: number): number {
  return ((of - rows) / 2 + row + 0.5) * ROW
}

/** A line from a row of one list to the middle of the other, in a box of 100 by `of` rows. */
export function linePath(row: number, rows: number, of: number): string {
  const from = rowMiddle(row, rows, of)
  const to = (of * ROW) / 2
  return `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`
}

/** How thick a line is that stands for so many tokens: to be told apart, and never to fill the picture. */
export function lineWidth(tokens: number): number {
  return Math.min(6, 1.5 + Math.log2(Math.max(1, tokens)))
}
