import type { AskedPayment, PaymentRecord, PaymentTerms } from '../enclave/payment.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { Revoked } from '../tokens/revoked.ts'
import type { PaymentExportFormat } from './payment-export.ts'
import type { AuthorizeOptions, CountersignOptions, Payments } from './payments.ts'

/** Payments, whose code is loaded on first use, because most visits don't need it. A failed load is tried again. */
export class PaymentsPart {
  readonly #load: () => Promise<Payments>

  constructor(context: VaultContext, changes: Changes, revoked: Revoked) {
    let payments: Payments | undefined
    this.#load = async () => {
      payments ??= new (await import('./payments.ts')).Payments(context, changes, revoked)
      return payments
    }
  }

  /** @see Payments.check */
  async check(asked: AskedPayment): Promise<PaymentTerms> {
    return await (await this.#load()).check(asked)
  }

  /** @see Payments.authorize */
  async authorize(asked: AskedPayment, options?: AuthorizeOptions): Promise<PaymentRecord> {
    return await (await this.#load()).authorize(asked, options)
  }

  /** @see Payments.countersign */
  async countersign(request: string, options?: CountersignOptions): Promise<PaymentRecord> {
    return await (await this.#load()).countersign(request, options)
  }

  /** @see Payments.list */
  async list(): Promise<PaymentRecord[]> {
    return await (await this.#load()).list()
  }

  /** @see Payments.addReceipt */
  async addReceipt(text: string): Promise<PaymentRecord> {
    return await (await this.#load()).addReceipt(text)
  }

  /** @see Payments.export */
  async export(format: PaymentExportFormat): Promise<string> {
    return await (await this.#load()).export(format)
  }
}
