import * as v from 'valibot'
import { isBase64Url } from '../base/base64url.ts'
import { refused } from '../base/errors.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { sealMetadata } from '../storage/sealed-metadata.ts'

/** Metadata with this prefix and the grant's CID says that its link was handed over. */
const PREFIX = 'handover:'

/** Bytes of a link's secret, which is base64url. */
const SECRET = 16

const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    cid: v.string(),
    /** DIDs of the one who gave it, and of its holder. */
    issuer: v.string(),
    audience: v.string(),
    secret: v.pipe(
      v.string(),
      v.check((text) => isBase64Url(text, SECRET)),
    ),
    at: v.number(),
    openedAt: v.exactOptional(v.number()),
  }),
)

/** The link of a grant, and whether the other side said that it opened it. Times are in milliseconds since 1970. */
export type Handover = v.InferOutput<typeof stored>

/** The grants whose links the owner handed over. The other side may say that it opened one: `@keyhole/vault/opened`. */
export class Handovers {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  /** Every link that was handed over. Empty without persistence. @throws VaultError VAULT_LOCKED */
  async list(): Promise<readonly Handover[]> {
    this.#context.requireUnlocked()
    const { client, isPersistent } = this.#context
    if (!isPersistent) return []
    const records = await client.storage.readMetadataUnder(PREFIX)
    const sealed = records.map(({ key, sealed: text }) => ({ context: metadataContext(key), text }))
    const texts = await openTexts(client.enclave, sealed)
    return records.flatMap(({ key }, at) => {
      const { success, output } = v.safeParse(stored, texts[at])
      return success && key === PREFIX + output.cid ? [output] : []
    })
  }

  /**
   * Notes that a grant's link is handed over. The first link of a grant counts.
   * @param grant its `secret` is 16 random bytes as base64url, which are in the link
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED if it can't be stored, or this is no such secret
   */
  async add({ cid, issuer, audience, secret }: Omit<Handover, 'at' | 'openedAt'>): Promise<void> {
    if (!isBase64Url(secret, SECRET)) throw refused('CallFailed', { failure: 'Failed to note a link' })
    if ((await this.list()).some((each) => each.cid === cid)) return
    await this.#record('handOver', { cid, issuer, audience, secret, at: this.#context.clock.now() })
  }

  /**
   * Notes that the other side opened a grant, at the time that it said. Once only.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED if it can't be stored
   */
  async markOpened(cid: string, openedAt: number): Promise<void> {
    const known = (await this.list()).find((each) => each.cid === cid)
    if (known === undefined || known.openedAt !== undefined) return
    // It was not opened before it was handed over, nor in the future: that is a wrong clock.
    const at = Math.max(known.at, Math.min(openedAt, this.#context.clock.now()))
    await this.#record('opened', { ...known, openedAt: at })
  }

  async #record(act: string, handover: Handover): Promise<void> {
    const { client, snapshot } = this.#context
    const { enclave } = client
    const { address = '' } = snapshot
    const { cid } = handover
    const batch = async (): Promise<StateBatch> => {
      const now = await this.#context.laterThanStored(PREFIX + cid)
      return { metadata: [await sealMetadata(enclave, address, PREFIX + cid, JSON.stringify(handover), now)] }
    }
    await this.#changes.record(act, { cid }, batch, enclave)
    this.#context.changed('handovers')
  }
}
