import { refused, refusedToken } from '../base/errors.ts'
import type { CallOptions } from '../enclave/plugin.ts'
import type { VaultContext } from '../session/context.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { openLasting } from './lasting-tokens.ts'

/** Longer than any grant: the enclave checks the times when it signs. */
const ANY_TIME = 0xffff_ffff
/** More than so many new revocations are read together. */
const FEW = 50
const PREFIX = 'revocation:'

/** What the account revoked, here, on another device, or in a backup that was merged. Nothing without persistence. */
export class Revoked {
  readonly #context: VaultContext
  /** What each stored revocation revokes, by the revocation's own CID, while unlocked. */
  readonly #opened = new Map<string, string>()

  constructor(context: VaultContext) {
    this.#context = context
    context.events.on('vault:locked', () => this.#opened.clear())
    context.events.on('vault:initialized', () => this.#opened.clear())
  }

  /**
   * The CIDs of every delegation that the account revoked. Opens only revocations that it has not opened since the unlock.
   * @throws VaultError VAULT_LOCKED
   */
  async cids(): Promise<ReadonlySet<string>> {
    const { client, isPersistent } = this.#context
    if (!isPersistent) return new Set()
    this.#context.requireUnlocked()
    const { enclave, storage } = client
    const keys = (await storage.metadataKeysUnder(PREFIX)).map((key) => key.slice(PREFIX.length))
    const unknown = keys.filter((cid) => !this.#opened.has(cid))
    if (unknown.length === 0) return this.#among(this.#opened, keys)
    const opened = new Map(this.#opened)
    // One that does not open may be repaired from the second copy: it is read again.
    for (const { cid, revokes } of await openLasting(enclave, await this.#read(unknown), 'revocation'))
      if (revokes !== undefined) opened.set(cid, revokes)
    // If the account was locked or left in the meantime, don't keep them.
    if (client.holds(enclave) && this.#context.snapshot.phase === 'unlocked')
      for (const [cid, revokes] of opened) this.#opened.set(cid, revokes)
    return this.#among(opened, keys)
  }

  /** A revocation counts, even where nothing has ended the mandate. @throws VaultError OPERATION_FAILED, `MandateEnded` */
  async requireNot(mandate: string): Promise<void> {
    if ((await this.cids()).has(mandate)) throw refused('MandateEnded')
  }

  /**
   * Refuses a proof if the account revoked it, or anything that it came from, or if it takes too much work to tell. Other
   * faults are left to the enclave, which checks them when it signs.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `Revoked`, `TooMuchWork`
   */
  async requireProof(token: string, leaf: string | undefined, options?: CallOptions): Promise<void> {
    this.#context.requireUnlocked()
    const all = await this.cids()
    if (all.size === 0) return
    const proof = { token, skew: ANY_TIME, ...(leaf !== undefined && { leaf }) }
    const found = await this.#context.client.verifyToken(proof, options)
    // Signing may take less work than this answer, so it could go through.
    if (!found.valid && found.error.name === 'TooMuchWork') throw refusedToken(found.error)
    const revoked = found.valid ? found.chain.find(({ cid }) => all.has(cid)) : undefined
    if (!revoked) return
    throw refusedToken({ name: 'Revoked', message: 'This token was revoked.', cid: revoked.cid })
  }

  async #read(cids: readonly string[]): Promise<MetadataRecord[]> {
    const { storage } = this.#context.client
    if (cids.length > FEW) return await storage.readMetadataUnder(PREFIX)
    const read = await Promise.all(cids.map((cid) => storage.readMetadataOf(`${PREFIX}${cid}`)))
    return read.filter((record) => record !== undefined)
  }

  #among(opened: ReadonlyMap<string, string>, keys: readonly string[]): ReadonlySet<string> {
    return new Set(keys.flatMap((cid) => opened.get(cid) ?? []))
  }
}
