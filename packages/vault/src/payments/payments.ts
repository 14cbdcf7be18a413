import type { EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import { type ActivityAbout, short } from '../base/act.ts'
import { refused } from '../base/errors.ts'
import {
  type AskedPayment,
  askedInput,
  type PaymentBasis,
  type PaymentRecord,
  type PaymentTerms,
  toPaymentRecord,
  toTerms,
} from '../enclave/payment.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { Change, Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import { loadKeepers } from '../tokens/keepers/load-keepers.ts'
import type { Revoked } from '../tokens/revoked.ts'
import { othersRevocations } from './others-revocations.ts'
import { exportPayments, type PaymentExportFormat } from './payment-export.ts'
import { checkReceipt, readReceipt } from './payment-receipt.ts'
import { openPayments, PAYMENT_PREFIX, type StoredPayment, sealPayment } from './payment-records.ts'

/** How a payment is authorised. */
export interface AuthorizeOptions {
  /** CID of the mandate to count it against; its key signs. Default: none. */
  readonly mandate?: string
  /** No person approves it, only the vault's own mandate. */
  readonly byItself?: boolean
  /** How long it is valid, 1 to 60. Default 5. */
  readonly minutes?: number
  /** The key that signs without a mandate. Default: the account's default key. */
  readonly keyId?: string
}

/** How a holder's request is answered. */
export interface CountersignOptions extends Pick<AuthorizeOptions, 'minutes'> {
  /** Texts of revocations by others, such as a relay's feed has. Each counts if its issuer may revoke in the chain. */
  readonly revocations?: readonly string[]
  /** Base URL of the relay with the account's feed. It is asked first, and nothing is signed if it doesn't answer. Default: none. */
  readonly relay?: string
}

/**
 * Authorises payments: approved by hand, under a mandate, or when a mandate's holder asks. Nothing is handed out before
 * the count, the new state and the payment's record are stored, in one transaction.
 */
export class Payments {
  readonly #context: VaultContext
  readonly #changes: Changes
  readonly #revoked: Revoked
  /** Ids of records already reported. */
  readonly #reported = new Set<string>()

  constructor(context: VaultContext, changes: Changes, revoked: Revoked) {
    this.#context = context
    this.#changes = changes
    this.#revoked = revoked
  }

  /**
   * A payment in the terms that would be signed. Needs no account.
   * @throws VaultError OPERATION_FAILED, `InvalidPayment`: no valid site, amount, currency or order
   */
  async check(asked: AskedPayment): Promise<PaymentTerms> {
    const failure = 'Failed to check the payment'
    return toTerms(await this.#context.call('check_payment', askedInput(asked), failure))
  }

  /**
   * Signs that the payee may collect a payment, approved by a person or (`byItself`) by the vault's own mandate.
   * Returns it once count, state and record are stored.
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED by name: `InvalidPayment`, `UnknownMandate`,
   *   `OutsideMandate`, `BudgetExceeded`, `MandateSuspended`, `MandateEnded`. Nothing was counted or stored
   */
  async authorize(asked: AskedPayment, options: AuthorizeOptions = {}): Promise<PaymentRecord> {
    const { mandate, byItself = false, minutes } = options
    const payment = askedInput(asked)
    const { receiptKey } = asked
    const named = receiptKey === undefined ? {} : { receiptKey }
    const lasting = minutes === undefined ? {} : { minutes }
    if (mandate !== undefined) {
      return await this.#counted(
        {
          ...{ act: 'authorizePayment', name: 'spend_mandate', failure: FAILURE },
          input: async () => {
            await this.#revoked.requireNot(mandate)
            const keepers = await loadKeepers(this.#context)
            await keepers?.requireKeeper(this.#context, mandate, (await this.#withCount()).has(mandate))
            return { cid: mandate, payment, by_itself: byItself, ...lasting }
          },
        },
        async () => ({ by: byItself ? 'mandate' : 'hand', mandate, ...named }),
      )
    }
    if (byItself) {
      throw refused('UnknownMandate', { why: 'Unattended' })
    }
    return await this.#byHand({ payment, ...lasting }, { by: 'hand', ...named }, options.keyId)
  }

  /**
   * Authorises what a mandate's holder asks for, in an invocation of `/payment/request` addressed to this account.
   * Refuses it if any link of its chain was revoked by the account, in `revocations`, or in the feed of `relay`.
   * @param request the invocation's text, with its proofs
   * @throws VaultError as `authorize`; OPERATION_FAILED by the name of the rule that the request breaks, `Replayed` for
   *   one already answered; `FeedUnknown` if the relay can't be asked
   */
  async countersign(
    request: string,
    { minutes, revocations = [], relay }: CountersignOptions = {},
  ): Promise<PaymentRecord> {
    this.#context.requireUnlocked()
    const others = [...revocations]
    if (relay !== undefined) {
      others.push(...(await othersRevocations(this.#context, relay, request)))
    }
    const input = async () => {
      await this.#requireKeeperOf(request)
      const revoked = [...(await this.#revoked.cids())]
      return { request, revoked, revocations: others, ...(minutes !== undefined && { minutes }) }
    }
    return await this.#counted(
      { act: 'countersignPayment', name: 'countersign_payment', input, failure: FAILURE },
      async ({ mandate }) => {
        const { tokens } = await this.#context.client.inspectToken(request)
        const requester = tokens.find(({ kind }) => kind === 'invocation')?.payload.iss
        return {
          ...{ by: 'request', mandate: mandate.cid },
          ...(typeof requester === 'string' && { requester }),
        }
      },
    )
  }

  /** Every payment the account authorised, newest first; empty without persistence. @throws VaultError VAULT_LOCKED */
  async list(): Promise<PaymentRecord[]> {
    return (await this.#read()).map(({ payment }) => payment)
  }

  /**
   * The payments as CSV (RFC 4180) or JSON, newest first, without the texts of tokens.
   * @throws VaultError VAULT_LOCKED
   */
  async export(format: PaymentExportFormat): Promise<string> {
    return exportPayments(await this.list(), format)
  }

  /**
   * Stores what the payee says happened to a payment: an invocation of `/ucan/assert` about its task, signed by the
   * payee's `did:web` (looked up at `didWebHosts`) or by the key named in its request. The first receipt counts; adding
   * the same one again changes nothing.
   * @returns the payment with its receipt
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED by name: `InvalidReceipt`, `UnknownPayment`, `ReceiptExists`, or
   *   the rule that the token breaks. Nothing was changed
   */
  async addReceipt(text: string): Promise<PaymentRecord> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const receipt = await readReceipt(context, text)
    const { task, cid, outcome } = receipt
    const { payment } = this.#find(await this.#read(), task)
    await checkReceipt(context, receipt, payment)
    let result = payment
    await this.#changes.record(
      'addReceipt',
      { cid, task, outcome, payment: payment.id },
      async () => {
        // Another tab may have added one in the meantime.
        const { payment: before, updatedAt } = this.#find(await this.#read(), task)
        result = before
        if (before.receipt?.token === receipt.token) return {}
        if (before.receipt) throw refused('ReceiptExists')
        const now = context.clock.now()
        result = { ...before, receipt: { token: receipt.token, at: now, outcome } }
        // A merge keeps the later of two copies, so this must be later even if the clock was set back.
        const at = Math.max(now, updatedAt + 1)
        return { metadata: [await sealPayment(enclave, context.client.storage.address, result, at)] }
      },
      enclave,
    )
    context.changed('payments')
    return result
  }

  /**
   * Signs what a person approved without a mandate. Nothing is counted, so only the record and its log line are stored.
   */
  async #byHand(
    input: EnclaveInput<'authorize_payment'>,
    basis: PaymentBasis,
    keyId: string | undefined,
  ): Promise<PaymentRecord> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const { address = '' } = context.snapshot
    const key = keyId === undefined ? {} : { key_id: keyId }
    const made = await callPlugin(enclave, 'authorize_payment', { ...input, ...key }, FAILURE)
    const record = toPaymentRecord(made, basis, context.clock.now())
    const metadata = [await sealPayment(enclave, address, record, record.at)]
    await this.#changes.record('authorizePayment', aboutOf(record), { metadata }, enclave)
    context.changed('payments')
    return record
  }

  /** Signs and counts in one change of the sealed state, and stores the record in the same transaction. */
  async #counted<Name extends 'spend_mandate' | 'countersign_payment'>(
    change: Pick<Change<Name>, 'act' | 'name' | 'input' | 'failure'>,
    describe: (result: EnclaveAnswer<Name>) => Promise<PaymentBasis>,
  ): Promise<PaymentRecord> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const { address = '' } = context.snapshot
    let record: PaymentRecord | undefined
    await this.#changes.mutate({
      ...change,
      settles: true,
      prepare: async (result) => {
        record = toPaymentRecord(result, await describe(result), context.clock.now())
        return { metadata: [await sealPayment(enclave, address, record, record.at)] }
      },
      about: () => (record ? aboutOf(record) : {}),
    })
    if (!record) throw refused('CallFailed', { failure: FAILURE })
    context.changed('payments')
    context.changed('mandates')
    return record
  }

  /** The mandates that the enclave here has a count of. */
  async #withCount(): Promise<ReadonlySet<string>> {
    const { mandates } = await this.#context.call('list_mandates', {}, FAILURE)
    return new Set(mandates.map(({ cid }) => cid))
  }

  /** Of a request under a mandate that another device counts, this says so. The enclave only knows its own. */
  async #requireKeeperOf(request: string): Promise<void> {
    const keepers = await loadKeepers(this.#context)
    if (!keepers) return
    const { tokens } = await this.#context.client.inspectToken(request)
    const counted = await this.#withCount()
    for (const { cid, kind } of tokens)
      if (kind === 'delegation') await keepers.requireKeeper(this.#context, cid, counted.has(cid))
  }

  #find(stored: readonly StoredPayment[], task: string): StoredPayment {
    const found = stored.find(({ payment }) => payment.task === task)
    if (found) return found
    throw refused('UnknownPayment')
  }

  async #read(): Promise<StoredPayment[]> {
    const context = this.#context
    context.requireUnlocked()
    if (!context.isPersistent) return []
    const { enclave, storage } = context.client
    const { stored, unreadable } = await openPayments(
      enclave,
      await storage.readMetadataUnder(PAYMENT_PREFIX),
    )
    for (const id of unreadable) {
      const key = `${storage.address} ${id}`
      if (this.#reported.has(key)) continue
      this.#reported.add(key)
      context.raiseUnreadable('metadata', id)
    }
    return stored
  }
}

const FAILURE = 'Failed to authorise the payment'

/** What the log says about a payment: ids and numbers. */
function aboutOf({ id: cid, payee, amount, currency, by, mandate, requester }: PaymentRecord): ActivityAbout {
  return {
    ...{ cid, payee: short(payee), amount, currency, by },
    ...(mandate !== undefined && { mandate }),
    ...(requester !== undefined && { requester: short(requester) }),
  }
}
