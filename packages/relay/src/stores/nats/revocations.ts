// Revocations in one stream, with subjects `<stream>.<owner>.<quota>.<delegation>.<issuer>.<subject>.<revocation>`. The
// stream's leader accepts each revocation once, and deletes it when the delegation has expired. Pages are read from any replica. The
// leader says how far a feed goes, so a replica that lags is noticed.
import { setTimeout as wait } from 'node:timers/promises'
import { DiscardPolicy, type StoredMsg } from '@nats-io/jetstream'
import { type Link, revokersOf } from '../link.ts'
import { quotaLimit, quotaName } from '../quota.ts'
import { type RelayStore, type Revocation, StoreError } from '../store.ts'
import { askAgain, type Cluster, digest, tryWrite, withTimeout, writeAgain } from './cluster.ts'
import { countSubjects, ensureStream, lastMessage, readPage } from './streams.ts'

/** Space for JSON and headers around a revocation, in bytes. */
const OVERHEAD = 1_024
/** Number of reserved owners that the stream's size allows for. */
const RESERVED_OWNERS = 10
/** Pause before a lagging replica is asked again, in milliseconds. */
const RETRY = 20
/** JetStream counts a lifetime in nanoseconds, which ends at 292 years. Longer ones don't expire. In milliseconds. */
const LONGEST_LIFETIME = 200 * 365 * 86_400_000
/** The quota of the owner. */
const OWNER = 'owner'
type Feeds = Pick<
  RelayStore,
  'epoch' | 'addRevocation' | 'revocationsSince' | 'lastSeq' | 'hasRevoked' | 'deleteExpired'
>

export async function natsRevocations(cluster: Cluster): Promise<Feeds> {
  const { bounds, name, timeout } = cluster.options
  const { js, jsm } = cluster
  const stream = `${name}_revocations`
  await ensureStream(cluster, stream, streamConfig(cluster, stream))
  /** Digests, or `*` for any. */
  const subjectOf = (owner: string, { quota = '*', cid = '*', issuer = '*', by = '*', id = '*' } = {}) =>
    `${stream}.${digest(owner)}.${quota}.${cid}.${issuer}.${by}.${id}`

  const lastSeq = async (filter: string) => (await lastMessage(cluster, stream, filter))?.seq ?? 0
  const info = () => askAgain(cluster, () => jsm.streams.info(stream))

  const isThere = async (filter: string) => (await lastSeq(filter)) > 0

  async function hasRevoked(owner: string, chain: readonly Link[]): Promise<boolean> {
    const found = revokersOf(chain).map(async ({ cid: link, revokers }) => {
      const cid = digest(link)
      // Few links are revoked by anyone, so most chains cost one question for each.
      if (!(await isThere(subjectOf(owner, { cid })))) return false
      const filters = [...revokers]
        .map(digest)
        .flatMap((did) => [subjectOf(owner, { cid, issuer: did }), subjectOf(owner, { cid, by: did })])
      return (await Promise.all(filters.map(isThere))).includes(true)
    })
    return (await Promise.all(found)).includes(true)
  }

  const count = (filter: string) => countSubjects(cluster, stream, filter)

  /** Revocations in a feed that others than its owner signed. */
  const countOthers = async (owner: string) =>
    (await count(subjectOf(owner))) - (await count(subjectOf(owner, { quota: OWNER })))

  async function since(owner: string, after: number, limit: number): Promise<Revocation[]> {
    const filter = subjectOf(owner)
    for (const end = Date.now() + timeout; Date.now() < end; await wait(RETRY)) {
      const last = await lastSeq(filter)
      if (last <= after) return []
      const page = await readPage(cluster, stream, { seq: after + 1, batch: limit, next_by_subj: filter })
      if (page.length >= limit || (page.at(-1)?.seq ?? 0) >= last) return page.map(decode)
    }
    throw new StoreError("A replica of the relay's NATS cluster lags behind.")
  }

  return {
    epoch: () => withTimeout(timeout, async () => digest((await info()).created)),
    addRevocation: ({ subject, quota: signers, id, by, cid, revocation, until, isReserved }) =>
      writeAgain<'added' | 'known' | 'full'>(cluster, async ({ patience, isUnsure }) => {
        const same = subjectOf(subject, { id: digest(id) })
        if (await isThere(same)) {
          if (isUnsure) cluster.publish({ subject })
          return 'known'
        }
        const quota = signers ? digest(quotaName(signers)) : OWNER
        if ((await count(subjectOf(subject, { quota }))) >= quotaLimit(signers, bounds)) return 'full'
        if (signers && (await countOthers(subject)) >= bounds.othersRevocations) return 'full'
        if (!isReserved && (await info()).state.messages >= bounds.revocations) return 'full'
        const lifetime = until === null ? LONGEST_LIFETIME : until - Date.now()
        const [issuer = '', other = issuer] = by.map(digest)
        const place = subjectOf(subject, { quota, cid: digest(cid), issuer, by: other, id: digest(id) })
        const result = await tryWrite(() =>
          js.publish(place, JSON.stringify({ cid, by, revocation, until }), {
            expect: { lastSubjectSequence: 0, lastSubjectSequenceSubject: same },
            ...(lifetime < LONGEST_LIFETIME ? { ttl: `${Math.max(Math.ceil(lifetime / 1_000), 1)}s` } : {}),
            timeout: patience,
          }),
        )
        if (result !== 'written') return result
        cluster.publish({ subject })
        return 'added'
      }),
    revocationsSince: (owner, after, limit) => withTimeout(timeout, () => since(owner, after, limit)),
    lastSeq: (owner) => withTimeout(timeout, () => lastSeq(subjectOf(owner))),
    hasRevoked: (owner, chain) => withTimeout(timeout, () => hasRevoked(owner, chain)),
    // Each message has a lifetime, so the cluster deletes it.
    deleteExpired: async () => {},
  }
}

function streamConfig({ options: { bounds, replicas } }: Cluster, stream: string) {
  return {
    subjects: [`${stream}.*.*.*.*.*.*`],
    max_msgs_per_subject: 1,
    discard_new_per_subject: true,
    discard: DiscardPolicy.New,
    max_bytes:
      (bounds.revocations + RESERVED_OWNERS * bounds.ownRevocations) * (bounds.revocationLength + OVERHEAD),
    num_replicas: replicas,
    allow_direct: true,
    allow_msg_ttl: true,
  }
}

function decode({ seq, data }: StoredMsg): Revocation {
  const { cid, by, revocation, until } = Object(JSON.parse(Buffer.from(data).toString()))
  const isValid = typeof cid === 'string' && typeof revocation === 'string' && Array.isArray(by)
  if (!isValid || (until !== null && typeof until !== 'number'))
    throw new StoreError("The relay's stream has a message that no relay wrote.")
  return { seq, cid, by: by.map(String), revocation, until }
}
