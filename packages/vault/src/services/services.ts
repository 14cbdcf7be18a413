// The services that the owner saved: what each offers, in a sealed record of its own. Who it is called is in the contacts.
import * as v from 'valibot'
import { toBase64Url } from '../base/base64url.ts'
import { leftError, refused } from '../base/errors.ts'
import { VaultClient } from '../client/vault-client.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { KeyVault } from '../key-vault.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { laterThan, openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { type Introduction, introductionOf } from './introduction.ts'
import type { Introduced } from './read-introduction.ts'

/** Services are metadata with this prefix. The rest of the key doesn't say whose it is, because keys are not sealed. */
const PREFIX = 'service:'
/** Most services that are read. */
const MOST = 1_000

/** A service that the owner saved. */
export interface SavedService extends Introduction {
  readonly did: string
  readonly json: string
  /** Milliseconds since 1970. */
  readonly savedAt: number
}

const saved = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    did: v.pipe(v.string(), v.maxLength(2_048)),
    introduction: v.string(),
    savedAt: v.number(),
  }),
)

/** Without persistence: the records of each account of a vault. */
const held = new WeakMap<KeyVault, Map<string, MetadataRecord>>()

/**
 * Every service that was saved, by its DID. One that doesn't parse is skipped, and stays stored.
 *
 * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
 */
export async function readServices(vault: KeyVault): Promise<ReadonlyMap<string, SavedService>> {
  const { enclave, records } = partsOf(vault)
  const found = (await records()).slice(0, MOST)
  const texts = await openTexts(
    enclave,
    found.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed })),
  )
  const services = new Map<string, SavedService>()
  for (const [at, { key }] of found.entries()) {
    const service = await serviceIn(key, texts[at])
    if (service) services.set(service.did, service)
  }
  return services
}

/** The service in a record's text; undefined if it doesn't parse. */
async function serviceIn(key: string, text: string | undefined): Promise<SavedService | undefined> {
  const read = v.safeParse(saved, text)
  if (!read.success) return undefined
  const { did, introduction: json, savedAt } = read.output
  const introduction = introductionOf(json)
  // A record can't be moved to the place of another one.
  if (typeof introduction === 'string' || key !== (await keyOf(did))) return undefined
  return { ...introduction, did, json, savedAt }
}

/**
 * Saves what a service offers, in place of what was saved of it. An introduction that is older than that changes nothing.
 *
 * @returns whether it was saved
 * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
 */
export async function saveService(
  vault: KeyVault,
  { did, json, at }: Pick<Introduced, 'did' | 'json' | 'at'>,
  now: number = Date.now(),
): Promise<boolean> {
  const { address, read, write } = partsOf(vault)
  return await withWriteLock(address, async () => {
    const before = await read(did)
    if (before && before.at > at) return false
    await write(did, { did, introduction: json, savedAt: now }, now)
    return true
  })
}

/**
 * Removes what a service offers. Its contact and what was granted stay.
 *
 * @returns what was removed, for `saveService`
 * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
 */
export async function forgetService(
  vault: KeyVault,
  did: string,
  now: number = Date.now(),
): Promise<SavedService | undefined> {
  const { address, read, write } = partsOf(vault)
  return await withWriteLock(address, async () => {
    const before = await read(did)
    // What remains says that it was removed, so no older copy brings it back.
    if (before) await write(did, { removed: true }, now)
    return before
  })
}

function partsOf(vault: KeyVault) {
  const { client } = vault
  const { address, phase } = vault.getSnapshot()
  if (!(client instanceof VaultClient) || address === undefined) throw refused('NoVault')
  if (phase !== 'unlocked') throw refused('VaultLocked')
  // All of one account: another one may be opened while these are waited for.
  const { enclave, accountAddress = address } = client
  if (accountAddress !== address) throw leftError()
  const storage = (vault.config.enablePersistence ?? true) ? client.storage : undefined
  const own = held.get(vault) ?? new Map<string, MetadataRecord>()
  held.set(vault, own)
  const records = async (): Promise<readonly MetadataRecord[]> => {
    if (storage) return await storage.readMetadataUnder(PREFIX)
    return [...own.values()].filter(({ accountAddress }) => accountAddress === address)
  }
  const recordOf = async (key: string) =>
    storage ? await storage.readMetadataOf(key) : own.get(`${address} ${key}`)
  return {
    enclave,
    address,
    records,
    /** What was saved of one service. */
    async read(did: string): Promise<SavedService | undefined> {
      const key = await keyOf(did)
      return await serviceIn(key, await openMetadata(enclave, await recordOf(key)))
    },
    async write(did: string, value: object, now: number): Promise<void> {
      const key = await keyOf(did)
      const at = laterThan(await recordOf(key), now)
      const record = await sealMetadata(enclave, address, key, JSON.stringify(value), at)
      if (!client.holds(enclave)) throw leftError()
      if (storage) await storage.writeBatch({ metadata: [record] }, 'saving a service')
      else own.set(`${address} ${key}`, record)
    },
  }
}

async function keyOf(did: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`keyhole service 1\0${did}`))
  return PREFIX + toBase64Url(new Uint8Array(digest))
}
