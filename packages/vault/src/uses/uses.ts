// How grants were used, as the gates that honour them report it through the relay.
import { openSealed, type SealKey } from '@keyhole/holder/seal'
import * as v from 'valibot'
import { fromBase64Url, toBase64Url } from '../base/base64url.ts'
import { didWebOf } from '../base/did-web.ts'
import { refused } from '../base/errors.ts'
import { bytesWithin } from '../base/response-body.ts'
import { VaultClient } from '../client/vault-client.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { KeyVault } from '../key-vault.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { type Gate, gatesToAsk, type Reporter, readReporting } from './gates.ts'
import {
  type LastCall,
  type StoredReport,
  sealedReport,
  sentReport,
  storedReport,
  withReport,
} from './report.ts'
import { reportKey } from './report-key.ts'
import type { Rows } from './rows.ts'
import { grantOf, ownInvocation } from './shown-call.ts'

/** How a grant was used at one gate. All of it is the gate's word, but that it was called under this grant. */
export interface GrantUse {
  /** DID of the gate. */
  readonly gate: string
  /** Calls that it carried out, and that it refused. */
  readonly used: number
  readonly refused: number
  readonly last?: LastCall
  readonly lastRefused?: LastCall
  /** When the report was made, in milliseconds since 1970. */
  readonly at: number
}

/** A gate's report as a whole. */
export interface ReportedBy {
  readonly gate: string
  readonly at: number
  /** Other grants that it counted and that were left out: its report had no room for them, or it showed no call. */
  readonly left: number
  readonly unshown: number
}

/** Everything that was reported. */
export interface ReportedUses {
  /** By the CID of the grant. */
  readonly grants: ReadonlyMap<string, readonly GrantUse[]>
  readonly gates: readonly ReportedBy[]
  /** When the relay was last asked, in milliseconds since 1970; undefined if it never was. */
  readonly askedAt: number | undefined
}

export interface FetchUsesOptions {
  /**
   * The account's tokens of {@link REPORTING_COMMANDS}, from an index. Default: reads every stored token, which takes
   * longer the more there are.
   */
  readonly reporters?: readonly Reporter[]
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly now?: number
}

/** What came of asking the relay. */
export interface FetchedReports {
  /** Gates that may report: the owner gave them the permission. */
  readonly gates: number
  /** Reports that were new, and that were refused because they are not what they seem. */
  readonly taken: number
  readonly refused: number
  /** False if the relay could not be asked about every gate: try again. */
  readonly isComplete: boolean
}

const READ = '/relay/reports/read'
const SIGNED = '/uses/report'
const PREFIX = 'report:'
/** DIDs that a relay takes at once. */
const AT_ONCE = 16
/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000
/** A gate's clock may be ahead by this, in milliseconds. */
const SKEW = 600_000

/** Longest report that a relay stores, as base64url. */
const LONGEST_REPORT = 174_764
/** Longest answer: so many reports, and who sent them. */
const LONGEST_ANSWER = AT_ONCE * (LONGEST_REPORT + 1_024)

const answer = v.object({
  reports: v.pipe(
    v.array(v.object({ from: v.string(), report: v.pipe(v.string(), v.maxLength(LONGEST_REPORT)) })),
    v.maxLength(AT_ONCE),
  ),
})

/**
 * What the gates reported, as stored in the account.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function readUses(vault: KeyVault): Promise<ReportedUses> {
  const parts = partsOf(vault)
  if (!parts) return { grants: new Map(), gates: [], askedAt: undefined }
  const { rows, client } = parts
  const records = await rows.readUnder(PREFIX)
  const texts = records.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed }))
  const grants = new Map<string, GrantUse[]>()
  const gates: ReportedBy[] = []
  for (const text of await openTexts(client.enclave, texts)) {
    const parsed = v.safeParse(storedReport, text)
    if (!parsed.success) continue
    const { gate, at, left, unshown } = parsed.output
    gates.push({ gate, at, left, unshown })
    for (const { cid, used, refused: no, before, last, lastRefused } of parsed.output.grants) {
      const use = { gate, at, used: used + before.used, refused: no + before.refused }
      const calls = { ...(last && { last }), ...(lastRefused && { lastRefused }) }
      grants.set(cid, [...(grants.get(cid) ?? []), { ...use, ...calls }])
    }
  }
  return { grants, gates, askedAt: (await readReporting(rows, client.enclave))?.askedAt }
}

/**
 * Asks the relay for the reports of each gate that may report, checks them, and stores what is new.
 * @param relay its base URL, such as `https://vault.example/relay`
 * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
 */
export async function fetchUses(
  vault: KeyVault,
  relay: string,
  { reporters, now = Date.now() }: FetchUsesOptions = {},
): Promise<FetchedReports> {
  const opened = partsOf(vault)
  const gates = opened ? await gatesOf(vault, opened, reporters, now) : []
  if (!opened || gates.length === 0) return { gates: 0, taken: 0, refused: 0, isComplete: true }
  const parts = { ...opened, now }
  let [taken, refusals] = [0, 0]
  let isComplete = true
  for (const [owner, theirs] of byOwner(gates)) {
    for (let from = 0; from < theirs.length; from += AT_ONCE) {
      const { rows, client, address } = parts
      const lock = <T>(work: () => Promise<T>) => withWriteLock(address, work)
      const key = await lock(() => reportKey(rows, client.enclave, address, owner, now))
      const asked = theirs.slice(from, from + AT_ONCE)
      const reports = await ask(parts, relay, asked, key)
      isComplete &&= reports !== undefined
      const senders = new Set(asked.map(({ gate }) => gate))
      for (const { from: sender, report } of reports ?? []) {
        // One of each, and of no one else.
        if (!senders.delete(sender)) continue
        const read = await openReport(parts, owner, key, report)
        const isNew = read && (await lock(() => keep(parts, owner, sender, read)))
        if (!read) refusals += 1
        else if (isNew) taken += 1
      }
    }
  }
  return { gates: gates.length, taken, refused: refusals, isComplete }
}

interface Parts {
  readonly client: VaultClient
  readonly rows: Rows
  readonly address: string
}

/** Undefined without persistence: then no grants are listed either. */
function partsOf(vault: KeyVault): Parts | undefined {
  const { client } = vault
  const { address, phase } = vault.getSnapshot()
  if (!(client instanceof VaultClient) || address === undefined) throw refused('NoVault')
  if (phase !== 'unlocked') throw refused('VaultLocked')
  if (!(vault.config.enablePersistence ?? true)) return undefined
  return { client, rows: rowsOf(client), address }
}

function rowsOf({ storage }: VaultClient): Rows {
  return {
    read: (key) => storage.readMetadataOf(key),
    readUnder: (prefix) => storage.readMetadataUnder(prefix),
    write: (metadata) => storage.writeBatch({ metadata: [...metadata] }, 'saving reports of use'),
  }
}

/** Those to whom the account's keys gave the permission, and whose grant may be over. */
async function gatesOf(
  vault: KeyVault,
  { rows, client, address }: Parts,
  reporters: readonly Reporter[] | undefined,
  now: number,
): Promise<Gate[]> {
  const keys = new Map(vault.getSnapshot().keys.map(({ did, key_id }) => [did, key_id]))
  const tokens = reporters ?? [...(await vault.tokens.list()), ...(await vault.tokens.ended())]
  const { enclave } = client
  return await withWriteLock(address, () => gatesToAsk({ rows, enclave, address, now }, keys, tokens))
}

function byOwner(gates: readonly Gate[]): Map<string, Gate[]> {
  const owners = new Map<string, Gate[]>()
  for (const gate of gates) owners.set(gate.owner, [...(owners.get(gate.owner) ?? []), gate])
  return owners
}

/** Asks the relay for the reports of these gates; undefined if it can't be asked. */
async function ask({ client }: Parts, relay: string, gates: readonly Gate[], { publicKey }: SealKey) {
  const [{ owner, keyId } = { owner: '', keyId: '' }] = gates
  const { token } = await client.invoke({
    command: READ,
    args: { key: toBase64Url(publicKey), from: gates.map(({ gate }) => gate) },
    subject_did: owner,
    audience_did: didWebOf(relay),
    key_id: keyId,
  })
  try {
    const response = await fetch(`${relay}/reports/read`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    const bytes = response.ok ? await bytesWithin(response, LONGEST_ANSWER) : undefined
    return bytes && v.parse(answer, JSON.parse(new TextDecoder().decode(bytes))).reports
  } catch {
    return undefined
  }
}

interface Opened {
  readonly gate: string
  readonly report: v.InferOutput<typeof sentReport>
}

/** Opens a report and checks who signed it. Undefined if it is not a gate's report to this owner. */
async function openReport(
  { client }: Parts,
  owner: string,
  key: SealKey,
  sealed: string,
): Promise<Opened | undefined> {
  try {
    const info = new TextEncoder().encode(`keyhole report 1\0${owner}`)
    const text = new TextDecoder().decode(
      await openSealed(key, fromBase64Url(sealed) ?? new Uint8Array(), info),
    )
    const { signed, report } = v.parse(sealedReport, text)
    const said = ownInvocation((await client.inspectToken(signed)).tokens)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(report)))
    const isSigned = Reflect.get(Object(said?.args), 'report') === toBase64Url(digest)
    const { iss, aud, cmd } = said ?? {}
    if (!isSigned || typeof iss !== 'string' || aud !== owner || cmd !== SIGNED) return undefined
    return { gate: iss, report: v.parse(sentReport, report) }
  } catch (error) {
    if (isLocked(error)) throw error
    return undefined
  }
}

/** Locking is no one's fault; anything else is the report's. */
const isLocked = (error: unknown) => Reflect.get(Object(Object(error).details), 'code') === 'VAULT_LOCKED'

/** Stores a report if it is newer than the last one. The caller holds the write lock. @returns whether it was */
async function keep(
  { client, rows, address, now }: Parts & { readonly now: number },
  owner: string,
  sender: string,
  { gate, report }: Opened,
): Promise<boolean> {
  const row = await rowOf(owner, sender)
  const stored = v.safeParse(storedReport, await openMetadata(client.enclave, await rows.read(row)))
  // Whoever shares a permission shares its place. Their counts are their own.
  const before = stored.success && stored.output.gate === gate ? stored.output : undefined
  if (report.at > now + SKEW || (before && report.at <= before.at)) return false
  const known = new Set(before?.grants.map(({ cid }) => cid))
  const grants: Omit<(typeof report.grants)[number], 'shown'>[] = []
  for (const { shown, ...each } of report.grants) {
    // A call shown before is not shown again: that a gate was asked under a grant doesn't change.
    if (known.has(each.cid) || (await isShown(client, shown, each.cid, owner, gate))) grants.push(each)
  }
  const { since, at, left } = report
  const unshown = report.grants.length - grants.length
  const text: StoredReport = withReport(before, { gate, since, at, left, unshown, grants })
  await rows.write([await sealMetadata(client.enclave, address, row, JSON.stringify(text), now)])
  return true
}

async function isShown(client: VaultClient, shown: string, cid: string, owner: string, gate: string) {
  try {
    return grantOf((await client.inspectToken(shown)).tokens, owner, gate) === cid
  } catch (error) {
    if (isLocked(error)) throw error
    return false
  }
}

/** The name of a row is not sealed, so it doesn't name the gate. */
async function rowOf(owner: string, sender: string): Promise<string> {
  const names = new TextEncoder().encode(`${owner} ${sender}`)
  return PREFIX + toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', names)))
}
