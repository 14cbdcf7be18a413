import type { Enclave, EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import * as v from 'valibot'
import { type CallOptions, callPlugin } from '../enclave/plugin.ts'
import { sealTexts } from '../enclave/sealed-text.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { SessionRecord } from '../storage/schema.ts'
import type { Invocations } from './invocations.ts'
import type { GrantRequest, StoredToken, Tokens } from './tokens.ts'

/** Who asked, sealed in a session. */
const asker = v.object({ origin: v.exactOptional(v.string()), reason: v.exactOptional(v.string()) })
type Asker = v.InferOutput<typeof asker>

/** A connected app: what it was granted, and until when. */
export interface Session extends SessionRecord, Asker {}

/** An app's request, as the person decided it. */
export interface ConnectionRequest {
  /** What is signed. */
  readonly grant: GrantRequest
  /** The origin that asked, as reported by the browser. Absent for a request as text, whose origin is unknown. */
  readonly origin?: string
  /** The reason it gave. */
  readonly reason?: string
}

export interface Connection {
  readonly token: StoredToken
  /** Absent without persistence. */
  readonly session?: Session
}

/** When the session of a token without an expiry ends. */
const NEVER = Number.MAX_SAFE_INTEGER

const sessionContext = (id: string) => `session:${id}`

async function seal(enclave: Enclave, id: string, said: Asker): Promise<{ sealed?: string }> {
  const [sealed] = await sealTexts(enclave, [{ context: sessionContext(id), text: JSON.stringify(said) }])
  return sealed === undefined ? {} : { sealed }
}

/** The account's sessions: connected apps, until they expire or are ended. */
export class Connections {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #tokens: Tokens
  readonly #invocations: Invocations

  constructor(context: VaultContext, changes: Changes, tokens: Tokens, invocations: Invocations) {
    this.#context = context
    this.#changes = changes
    this.#tokens = tokens
    this.#invocations = invocations
  }

  /** Sessions that haven't expired, newest first. While locked, they don't say who was connected. */
  async list(): Promise<Session[]> {
    const now = this.#context.clock.now()
    const live = (await this.#records()).filter(({ expiresAt }) => expiresAt > now)
    return await this.#opened(live)
  }

  /**
   * Grants what an app asked for and creates a session, in one write. Ending the session revokes the grant.
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED
   */
  async connect(request: ConnectionRequest, options?: CallOptions): Promise<Connection> {
    const { origin, reason, grant } = request
    const said = { ...(origin !== undefined && { origin }), ...(reason !== undefined && { reason }) }
    const id = crypto.randomUUID()
    const { client, isPersistent } = this.#context
    let session: SessionRecord | undefined
    // Seals while the enclave makes the token.
    const sealing = isPersistent ? seal(client.enclave, id, said) : undefined
    sealing?.catch(() => undefined)
    const token = await this.#tokens.grantWith(grant, options, {
      act: 'connect',
      beside: async (record) => {
        const { address: accountAddress } = client.storage
        const { createdAt, cid, keyId, expiresAt = NEVER } = record
        session = {
          ...{ id, accountAddress, expiresAt, createdAt, ...(await sealing) },
          ...(cid !== undefined && { cid }),
          ...(keyId !== undefined && { keyId }),
        }
        return { batch: { sessions: [session] }, ...(origin !== undefined && { about: { origin } }) }
      },
    })
    this.#context.changed('sessions')
    return { token, ...(session && { session: { ...session, ...said } }) }
  }

  /**
   * Seals an answer for the mailbox named in a request. Needs no account.
   * @throws VaultError OPERATION_FAILED
   */
  async sealAnswer(
    answer: EnclaveInput<'seal_answer'>,
    options?: CallOptions,
  ): Promise<EnclaveAnswer<'seal_answer'>> {
    const { enclave } = this.#context.client
    return await callPlugin(enclave, 'seal_answer', answer, 'Failed to seal the answer', options)
  }

  /**
   * Ends a session permanently, and revokes its grant.
   * @returns the revocation, if there was something to revoke: send it to every service that accepts the grant
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  async end(id: string): Promise<StoredToken | undefined> {
    const [revocation] = await this.#endThese([id])
    return revocation
  }

  /**
   * Ends every session of the account permanently, and revokes their grants: see `tokens.revocations`.
   * @returns how many
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  async endAll(): Promise<number> {
    const ids = (await this.#context.client.getSessions()).map(({ id }) => id)
    await this.#endThese(ids)
    return ids.length
  }

  /**
   * Ends these sessions. Each grant is revoked in the same write. The revocations are stored with the others, and must
   * be sent to the services that accept the grants.
   * @returns the revocations
   */
  async #endThese(ids: readonly string[]): Promise<StoredToken[]> {
    if (ids.length === 0) return []
    this.#context.requireUnlocked()
    const { enclave } = this.#context.client
    const wanted = new Set(ids)
    const granted = (await this.#records()).filter(
      (session) => wanted.has(session.id) && this.#revocable(session),
    )
    const revocations: StoredToken[] = []
    for (const { id, cid = '', keyId } of granted) {
      const request = { cid, ...(keyId !== undefined && { key_id: keyId }) }
      const beside = async () => ({ batch: { removed: { sessions: [id] } }, about: { sessions: 1 } })
      revocations.push(await this.#invocations.revokeWith(request, undefined, { act: 'endSession', beside }))
      wanted.delete(id)
    }
    const rest = [...wanted]
    const [only] = rest.length === 1 ? rest : []
    if (rest.length > 0) {
      const about = { sessions: rest.length, ...(only !== undefined && { id: only }) }
      await this.#changes.record('endSession', about, { removed: { sessions: rest } }, enclave)
    }
    this.#context.changed('sessions')
    return revocations
  }

  async #records(): Promise<SessionRecord[]> {
    return this.#context.isPersistent ? await this.#context.client.getSessions() : []
  }

  /** Whether there is something to revoke, and the key to do it. If the key is gone, no one can. */
  #revocable({ cid, keyId, expiresAt }: SessionRecord): boolean {
    const { clock, snapshot } = this.#context
    return (
      cid !== undefined && expiresAt > clock.now() && snapshot.keys.some(({ key_id }) => key_id === keyId)
    )
  }

  async #opened(records: readonly SessionRecord[]): Promise<Session[]> {
    const texts = records.flatMap(({ id, sealed }) =>
      sealed === undefined ? [] : [{ id, context: sessionContext(id), text: sealed }],
    )
    const opened = await this.#tokens.openWhileUnlocked(texts)
    const said = new Map(texts.map(({ id }, index) => [id, opened[index]]))
    return records.map((record) => {
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), asker), said.get(record.id))
      return parsed.success ? { ...record, ...parsed.output } : record
    })
  }
}
