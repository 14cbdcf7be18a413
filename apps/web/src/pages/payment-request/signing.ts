import type { AuthorizeOptions, KeyVault, PaymentRecord, PaymentTerms } from '@keyhole/vault'
import { type PaymentLine, PaymentTrouble } from './payment-line.ts'
import type { Asked } from './worker-messages.ts'

/** A payment to sign, and the account to sign it in. */
export interface ToSign {
  readonly vault: { readonly payments: Pick<KeyVault['payments'], 'authorize' | 'list'> }
  readonly address: string
  readonly asked: Asked
  /** The terms that are shown. */
  readonly terms: PaymentTerms
  readonly options: AuthorizeOptions
  /** The ids of the account's earlier payments. Read from the account if not given. */
  readonly known?: ReadonlySet<string> | undefined
}

/**
 * Signs what one window was given: once, and exactly what was shown. It returns the site's permission only if the account's own records say
 * that nothing was signed. An error alone doesn't prove that.
 */
export class Signing {
  readonly #line: Pick<PaymentLine, 'askToSign' | 'notSigned' | 'unsure'>
  /** What was started with permission: in which account, and with which earlier payments. */
  #begun: { readonly address: string; readonly known: ReadonlySet<string> } | undefined
  #trouble: PaymentTrouble | undefined

  constructor(line: Pick<PaymentLine, 'askToSign' | 'notSigned' | 'unsure'>) {
    this.#line = line
  }

  /**
   * Signs, or finds what was signed before and never reached the site.
   * @throws PaymentOver if the site no longer waits
   * @throws PaymentTrouble `BegunElsewhere`: it was started in another account, and only that one knows the result; `OtherPayment`: what was signed is not what was shown, and doesn't go to the site; `RequestNotNoted`
   * @throws VaultError why nothing was signed, or why we can't tell now
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

  /** The result of what was started: the payment, or nothing, which the site is told. */
  async #ending({ vault, address, terms }: ToSign): Promise<PaymentRecord | undefined> {
    const begun = this.#begun
    if (begun?.address !== address) throw new PaymentTrouble('BegunElsewhere')
    const payments = await vault.payments.list()
    // A mandate's holder may have asked for another payment in the meantime.
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
