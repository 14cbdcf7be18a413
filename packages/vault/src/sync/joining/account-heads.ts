import type { Relay } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import { isHead } from '../stored/stored-records.ts'

/** The most pages, and characters in them, that are read to join: more than a relay stores of one account. */
const MOST_PAGES = 400
const MOST_READ = 128 << 20
/** The most characters of heads: the enclave takes 16 MiB in one call. */
const MOST_HEADS = 8 << 20

/** An account's heads. Everything else is read once a device has joined. @throws RelayFailure */
export async function readHeads(relay: Pick<Relay, 'read'>): Promise<readonly string[]> {
  const heads: string[] = []
  let [from, read, length] = [1, 0, 0]
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { records } = await relay.read(from)
    if (records.length === 0) return heads
    from += records.length
    for (const record of records) {
      read += record.length
      if (!isHead(record)) continue
      heads.push(record)
      length += record.length
    }
    if (read > MOST_READ || length > MOST_HEADS) break
  }
  throw new RelayFailure('nonsense')
}
