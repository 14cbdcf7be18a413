import type { EnclaveMandate } from '@keyhole/enclave'
import type { ActivityAbout } from '../base/act.ts'
import { short } from '../base/act.ts'
import { refused } from '../base/errors.ts'
import type { RevokeRequest } from '../enclave/invocation.ts'
import { type Mandate, type MandateTerms, termsInput, toMandate } from '../enclave/mandate.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { MetadataRecord, TokenRecord } from '../storage/schema.ts'
import { loadKeepers } from './keepers/load-keepers.ts'
import type { Revoked } from './revoked.ts'
import type { Beside, Labelled, StoredToken, Tokens } from './tokens.ts'

/** A new mandate, and its delegation as stored with the tokens. */
export interface MadeMandate {
  readonly token: StoredToken
  readonly mandate: Mandate
}

/** Mandates with a budget. `Payments` changes their counts. */
export class Mandates {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #tokens: Tokens
  readonly #revoked: Revoked

  constructor(context: VaultContext, changes: Changes, tokens: Tokens, revoked: Revoked) {
    this.#context = context
    this.#changes = changes
    this.#tokens = tokens
    this.#revoked = revoked
  }

  /**
   * Creates a mandate with a budget, which only works together with this vault, and stores its delegation with the
   * tokens.
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, `InvalidMandate`, `InvalidPayment`
   */
  async make({ label = '', ...terms }: MandateTerms): Promise<MadeMandate> {
    let record: TokenRecord | undefined
    const { mandate } = await this.#changes.mutate({
      ...{ act: 'makeMandate', name: 'make_mandate', failure: 'Failed to make the mandate' },
      input: termsInput(terms),
      prepare: async (made) => {
        record = await this.#tokens.describe(made, { type: 'origin', label })
        return { tokens: [record], metadata: await this.#madeHere(made.mandate.cid) }
      },
      about: (made) => aboutOf(made.mandate),
    })
    if (!record) throw refused('CallFailed', { failure: 'Failed to make the mandate' })
    const token = await this.#tokens.shown(record)
    this.#context.tokensChanged()
    this.#context.changed('mandates')
    return { token, mandate: toMandate(mandate) }
  }

  /**
   * Mandates with a budget, oldest first, including ended ones. One that was revoked elsewhere has ended. If the account is
   * on several devices, those that another one counts have a `keeper`.
   * @throws VaultError VAULT_LOCKED
   */
  async list(): Promise<Mandate[]> {
    const here = await this.#here()
    const elsewhere = await this.#elsewhere()
    const mandates = [
      ...here.filter(({ cid }) => !elsewhere.has(cid)).map(toMandate),
      ...elsewhere.values(),
    ].sort((one, other) => one.createdAt - other.createdAt)
    const isOpen = mandates.some(({ ended }) => !ended)
    const revoked = isOpen ? await this.#revoked.cids() : new Set()
    return mandates.map((each) => ({ ...each, ended: each.ended || revoked.has(each.cid) }))
  }

  /** No other device counts it, if the account has any. */
  async #madeHere(cid: string): Promise<readonly MetadataRecord[]> {
    const { client, clock } = this.#context
    const keepers = await loadKeepers(this.#context)
    return keepers ? [keepers.madeRecord(client.storage.address, cid, clock.now())] : []
  }

  async #here(): Promise<readonly EnclaveMandate[]> {
    return (await this.#context.call('list_mandates', {}, 'Failed to list the mandates')).mandates
  }

  /** Those that another device of the account counts, by CID. */
  async #elsewhere(): Promise<ReadonlyMap<string, Mandate>> {
    const keepers = await loadKeepers(this.#context)
    return keepers ? await keepers.mandatesElsewhere(this.#context) : new Map()
  }

  /**
   * Suspends a mandate, or confirms it again.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `UnknownMandate`, `MandateEnded`
   */
  async suspend(cid: string, suspended: boolean): Promise<Mandate> {
    const { mandate } = await this.#changes.mutate({
      ...{ act: suspended ? 'suspendMandate' : 'confirmMandate', name: 'suspend_mandate' },
      input: async () => {
        await this.#revoked.requireNot(cid)
        return { cid, suspended }
      },
      failure: 'Failed to suspend the mandate',
      about: (changed) => aboutOf(changed.mandate),
    })
    this.#context.changed('mandates')
    return toMandate(mandate)
  }

  /**
   * Ends a mandate permanently and revokes its delegation. The revocation is stored with the tokens and must be
   * delivered. Revoking a mandate's CID does the same.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `UnknownMandate`
   */
  async end(cid: string): Promise<Mandate> {
    return (await this.endWith({ cid })).mandate
  }

  /**
   * Ends a mandate permanently and revokes its delegation, in one transaction. If the key that made it is gone, nothing
   * can sign the revocation, and nothing can be authorised any more either.
   * @param beside what is written with it, in the same transaction
   * @returns the mandate, and the revocation to deliver
   */
  async endWith(
    { cid, label = '' }: Pick<RevokeRequest, 'cid'> & Labelled,
    beside?: Beside,
  ): Promise<EndedMandate> {
    const elsewhere = (await this.#elsewhere()).get(cid)
    if (elsewhere) return await this.#endElsewhere(elsewhere, label, beside)
    let revocation: TokenRecord | undefined
    let more: Awaited<ReturnType<Beside['beside']>> | undefined
    const { mandate } = await this.#changes.mutate({
      ...{ act: beside?.act ?? 'endMandate', name: 'end_mandate', failure: 'Failed to end the mandate' },
      input: { cid },
      prepare: async (ended): Promise<StateBatch> => {
        const { client, snapshot } = this.#context
        const key = snapshot.keys.find(({ did }) => did === ended.mandate.issuer)
        if (!key) return {}
        const made = await client.revoke({ cid, key_id: key.key_id })
        const described = await this.#tokens.describe(made, { type: 'revocation', revokes: cid, label })
        const { record, batch } = await this.#tokens.toStore(described)
        revocation = record
        more = client.accountAddress === undefined ? undefined : await beside?.beside(record)
        return { ...more?.batch, ...batch }
      },
      about: (ended) => ({ ...aboutOf(ended.mandate), ...more?.about }),
    })
    if (revocation) this.#context.tokensChanged()
    this.#context.changed('mandates')
    return {
      mandate: toMandate(mandate),
      ...(revocation && { revocation: await this.#tokens.shown(revocation) }),
    }
  }

  /** Revokes a mandate that another device counts. That one authorises nothing more once it has the revocation. */
  async #endElsewhere(mandate: Mandate, label: string, beside: Beside | undefined): Promise<EndedMandate> {
    const { client, snapshot } = this.#context
    const { cid, issuer } = mandate
    const key = snapshot.keys.find(({ did }) => did === issuer)
    if (!key) throw refused('MandateElsewhere', { device: mandate.keeper?.name ?? '' })
    const { enclave } = client
    const made = await client.revoke({ cid, key_id: key.key_id })
    const described = await this.#tokens.describe(made, { type: 'revocation', revokes: cid, label })
    let record = described
    // Filled in below; the log line is built after the records.
    const about: Record<string, string | number | boolean> = {}
    const batch = async (): Promise<StateBatch> => {
      const own = await this.#tokens.toStore(described)
      record = own.record
      const more = await beside?.beside(record)
      Object.assign(about, { cid, audience: short(mandate.audience) }, more?.about)
      return { ...more?.batch, ...own.batch }
    }
    await this.#changes.record(beside?.act ?? 'endMandate', about, batch, enclave)
    this.#context.tokensChanged()
    this.#context.changed('mandates')
    return { mandate: { ...mandate, ended: true }, revocation: await this.#tokens.shown(record) }
  }

  /** Whether a delegation is a mandate that hasn't ended. */
  async isLive(cid: string): Promise<boolean> {
    return (await this.list()).some((mandate) => mandate.cid === cid && !mandate.ended)
  }
}

interface EndedMandate {
  readonly mandate: Mandate
  readonly revocation?: StoredToken
}

function aboutOf({ cid, audience, max, currency, budget }: EnclaveMandate): ActivityAbout {
  return {
    ...{ cid, audience: short(audience), max, currency, period: budget.period },
    ...(budget.amount !== undefined && { amount: budget.amount }),
    ...(budget.payments !== undefined && { payments: budget.payments }),
  }
}
