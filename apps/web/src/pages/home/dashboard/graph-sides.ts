import type { Party } from '../timeline/parties.ts'

/** The parties of one side of the graph: those to draw, and those that are drawn as one. */
export interface Side {
  readonly shown: readonly Party[]
  readonly others: readonly Party[]
}

/** Those with the most tokens first, and equal ones by their DID, so that the same vault is always drawn the same. */
export function inDrawnOrder(parties: readonly Party[]): Party[] {
  return [...parties].sort((a, b) => b.tokens.length - a.tokens.length || (a.dids[0] < b.dids[0] ? -1 : 1))
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
