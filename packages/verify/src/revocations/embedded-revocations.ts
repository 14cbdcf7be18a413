import { VerifyError } from '../errors.ts'
import { digest, EmbeddedDatabase } from '../stores/embedded-database.ts'
import type { Link, NewRevocation, OpenRevocations } from './revocation-source.ts'
import { hasSpace, MOST_CHARACTERS } from './revocation-space.ts'

/** After every digest, in the order of keys. */
const LAST = '~'
/** Digests that are remembered: about a megabyte. */
const MOST_DIGESTS = 8_192
/** Delegations and issuers that are remembered together: some megabytes. The longest chain has 2,080. */
const MOST_PAIRS = 65_536
/** Instead of an issuer's DID. */
const ANYONE = ''

/**
 * Revocations in a folder, which is created if missing. They survive a crash and a power failure. Processes on one machine
 * can share it: what one has added counts in all of them. A network file system can't hold it.
 *
 * @param options.most characters of all revocations together. Those that owners sign can use all of them, all others
 *   half, and those of one quota 1/64.
 * @throws VerifyError STORE_FAILED if the folder can't be opened
 */
export function embeddedRevocations(
  folder: string,
  { most = MOST_CHARACTERS }: { readonly most?: number } = {},
): OpenRevocations {
  const database = new EmbeddedDatabase(folder)
  const count = (key: string[]) => Number(database.get(key) ?? 0)

  /** Runs in a transaction, so that no one else uses the space meanwhile. */
  function addNow({ cid, revokes, by, revocation, quota }: NewRevocation): boolean {
    const id = digest(cid)
    if (database.has(['revocation', id])) return true
    const { length } = revocation
    const ofQuota = ['used by', digest(quota ?? '')]
    const used = { all: count(['used']), quotas: count(['used by quotas']), quota: count(ofQuota) }
    if (!hasSpace(used, length, quota, most)) return false
    database.put(['used'], used.all + length)
    if (quota !== undefined) {
      database.put(['used by quotas'], used.quotas + length)
      database.put(ofQuota, used.quota + length)
    }
    database.put(['revocation', id], revocation)
    for (const did of by) database.put(['revoked', digest(revokes), digest(did), id], true)
    return true
  }

  /** Digests of the delegations and issuers that calls came under: the same ones come again and again. */
  const digests = new Map<string, string>()
  function digestOf(id: string): string {
    const known = digests.get(id)
    if (known !== undefined) return known
    if (digests.size >= MOST_DIGESTS) digests.clear()
    const made = digest(id)
    digests.set(id, made)
    return made
  }

  /** What was looked for in vain while this much space was used. Each revocation that is added uses more, and none is removed. */
  const unrevoked = new NotRevoked()
  let usedThen = 0
  const keysOf = (prefix: string[], limit?: number) =>
    database.keys({ start: prefix, end: [...prefix, LAST], ...(limit !== undefined && { limit }) })

  function isRevoked(cid: string): boolean {
    if (keysOf(['revoked', digestOf(cid)], 1).length > 0) return true
    unrevoked.add(cid, ANYONE)
    return false
  }

  function idsBy(did: string, cid: string): readonly string[] {
    const ids = keysOf(['revoked', digestOf(cid), digestOf(did)]).map((key) => String(key.at(-1)))
    if (ids.length === 0) unrevoked.add(cid, did)
    return ids
  }

  function idsOf(chain: readonly Link[]): Set<string> {
    // Another process may have added some. This is read before anything else, so what is read is never older.
    const used = count(['used'])
    if (used !== usedThen) unrevoked.clear()
    usedThen = used
    const found = new Set<string>()
    const issuers = new Set<string>()
    for (const { cid, issuer } of chain) {
      issuers.add(issuer)
      if (unrevoked.has(cid, ANYONE)) continue
      const open = [...issuers].filter((did) => !unrevoked.has(cid, did))
      if (open.length > 0 && isRevoked(cid))
        for (const did of open) for (const id of idsBy(did, cid)) found.add(id)
    }
    return found
  }

  return {
    add: (revocation) => database.write(() => addNow(revocation)),
    find(_subject, chain) {
      try {
        return Array.from(idsOf(chain), (id) => String(database.get(['revocation', id])))
      } catch (cause) {
        const message = `The revocations in ${folder} can't be read. Check the disk.`
        throw new VerifyError('REVOCATIONS_UNKNOWN', message, { cause })
      }
    },
    close: () => database.close(),
  }
}

/** Which delegations were not revoked, and by whom. However many strangers revoke a chain, its issuers are looked for once. */
class NotRevoked {
  readonly #by = new Map<string, Set<string>>()
  #pairs = 0

  has(cid: string, did: string): boolean {
    return this.#by.get(cid)?.has(did) ?? false
  }

  add(cid: string, did: string): void {
    if (this.#pairs >= MOST_PAIRS) this.clear()
    this.#pairs += 1
    const dids = this.#by.get(cid)
    if (dids) dids.add(did)
    else this.#by.set(cid, new Set([did]))
  }

  clear(): void {
    this.#by.clear()
    this.#pairs = 0
  }
}
