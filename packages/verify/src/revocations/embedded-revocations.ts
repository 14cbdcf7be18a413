import { VerifyError } from '../errors.ts'
import { digest, EmbeddedDatabase } from '../stores/embedded-database.ts'
import type { Link, NewRevocation, OpenRevocations } from './revocation-source.ts'
import { hasSpace, MOST_CHARACTERS } from './revocation-space.ts'

/** After every digest, in the order of keys. */
const LAST = '~'
/** Digests that are remembered: about a megabyte. */
const MOST_DIGESTS = 8_192

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

  /** Delegations that no one revoked while this much space was used. Each revocation that is added uses more, and none is removed. */
  const unrevoked = new Set<string>()
  let usedThen = 0
  function isRevoked(cid: string): boolean {
    if (unrevoked.has(cid)) return false
    const revoked = digestOf(cid)
    const some = database.keys({ start: ['revoked', revoked], end: ['revoked', revoked, LAST], limit: 1 })
    if (some.length > 0) return true
    if (unrevoked.size >= MOST_DIGESTS) unrevoked.clear()
    unrevoked.add(cid)
    return false
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
      if (!isRevoked(cid)) continue
      const revoked = digestOf(cid)
      for (const did of issuers) {
        const by = digestOf(did)
        const range = { start: ['revoked', revoked, by], end: ['revoked', revoked, by, LAST] }
        for (const key of database.keys(range)) found.add(String(key.at(-1)))
      }
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
