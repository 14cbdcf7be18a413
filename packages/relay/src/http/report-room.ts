import { RelayError } from './answers.ts'
import type { Rates } from './rates.ts'

/** What a network's share of the room for reports is counted in, in bytes. */
const PIECE = 1_024

const piecesOf = (length: number) => Math.ceil(length / PIECE)

/**
 * Charges a network for what a report, a card or a notice takes more than what it replaces, and gives back what it takes less. Anyone can be an owner,
 * and report to themselves: without this, one network could fill the room of everyone else in three hours.
 *
 * @param before length of what it replaces, in bytes; 0 if it is new
 * @param after its own length
 * @throws RelayError too_many_requests
 */
export function takeReportRoom(
  rates: Rates,
  { address, now }: { readonly address: string; readonly now: number },
  before: number,
  after: number,
): void {
  const more = piecesOf(after) - piecesOf(before)
  if (!rates.take('room', address, now, more)) throw new RelayError('too_many_requests')
}
