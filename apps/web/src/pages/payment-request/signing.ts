import type { AuthorizeOptions, KeyVault, PaymentRecord, PaymentTerms } from '@keyhole/vault'
import { type PaymentLine, PaymentTrouble } from './payment-line.ts'
import type { Asked } from './worker-messages.ts'

/** A payment that is to be signed, and in which account. */
export interface ToSign {
  readonly vault: { readonly payments: Pick<KeyVault['payments'], 'authorize' | 'list'> }
  readonly address: string
  readonly asked: Asked
  /** What is shown of it. */
  readonly terms: PaymentTerms
  readonly options: AuthorizeOptions
  /** The payments that the account had before, by their ids; they are read where nobody says. */
  readonly known?: ReadonlySet<string> | undefined
}

/**
 * The signing of what one window was handed: once, and exactly what was shown. The site's leave is given back only where the account's
 * own records say that nothing was signed: an error alone does not say so.
 */
export class Signing {
  readonly #line: Pick<PaymentLine, 'askToSign' | 'notSigned' | 'unsure'>
  /** What was begun with leave, in which account, beside which payments. */
  #begun: { readonly address: string; readonly known: ReadonlySet<string> } | undefined
  #trouble: PaymentTrouble | undefined

  constructor(line: Pick<PaymentLine, 'askToSign' | 'notSigned' | 'unsure'>) {
    this.#line = line
  }

  /**
   * Signs; or finds what was signed before and never got to the site.
   * @throws PaymentOver where the site waits no more
   * @throws PaymentTrouble `BegunElsewhere`: it was begun in another account, which alone knows what came of it; `OtherPayment`: what
   * was signed is not what was shown, and does not go to the site; `RequestNotNoted`
   * @throws VaultError why nothing was signed, or why that cannot be told now
   */
  async sign(wanted: ToSign): Promise<PaymentRecord> {
    if (this.#trouble) throw this.#trouble
    if (this.#begun) {
      const before = await this.#ending(wanted)
      if (before) return before
    }
    const { vault, address, asked, terms, options } = wanted
    const known = wanted.known ?? new Set((await vault.payments.list()).map(({ id }) => id))
    await this.#line.askToSign()
    this.#begun = { address, known }
    try {
      return this.#checked(await vault.payments.authorize(asked, options), terms)
    } catch (error) {
      if (error instanceof PaymentTrouble) throw error
      const payment = await this.#ending(wanted).catch(() => {
        this.#line.unsure()
        throw error
      })
      if (payment) return payment
      throw error
    }
  }

  /** What came of what was begun: the payment, or nothing, of which the site is told. */
  async #ending({ vault, address, terms }: ToSign): Promise<PaymentRecord | undefined> {
    const begun = this.#begun
    if (begun?.address !== address) throw new PaymentTrouble('BegunElsewhere')
    const payments = await vault.payments.list()
    // What a mandate's holder asked for meanwhile is another's.
    const payment = payments.find(({ id, by }) => by !== 'request' && !begun.known.has(id))
    if (payment) return this.#checked(payment, terms)
    this.#begun = undefined
    this.#line.notSigned()
    return undefined
  }

  #checked(record: PaymentRecord, { payee, amount, currency, order }: PaymentTerms): PaymentRecord {
    const isSame = record.payee === payee && record.amount === amount
    if (isSame && record.currency === currency && record.order === order) return record
    this.#trouble = new PaymentTrouble('OtherPayment')
    throw this.#trouble
  }
}
