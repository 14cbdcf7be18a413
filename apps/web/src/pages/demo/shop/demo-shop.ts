import { isRefusal } from '@keyhole/enclave'
import { type Sandbox, textOf } from '../engine/sandbox.ts'

/** The longest time until an authorisation may expire, in seconds: an hour, plus a minute for clocks that differ. */
const LONGEST = 60 * 60 + 60

/** The cart in the demo's shop, with prices in cents. */
export const CART = { currency: 'EUR', tea: 320, cake: 430, total: 750 } as const

/** The shop's verdict on an answer: each check by name and whether it passed, or the rule that the token breaks. */
export type ShopVerdict =
  | { readonly paid: true; readonly checks: readonly ShopCheck[]; readonly receipt: string }
  | { readonly paid: false; readonly checks: readonly ShopCheck[] }
  | { readonly paid: false; readonly name: string; readonly message: string }

/** One check: what it is about, what was found, and whether it matches the shop's order. */
export interface ShopCheck {
  readonly of: 'method' | 'issuer' | 'audience' | 'command' | 'amount' | 'order' | 'end'
  readonly found: string | number
  readonly held: boolean
}

/** The parts of the browser's answer that the shop looks at. */
export interface ShopAnswer {
  readonly methodName: string
  readonly token: string
}

/**
 * A shop on this origin. It checks answers as described in docs/payment.md, "A merchant's check", with the demo's enclave. The demo's owner
 * signs its receipts.
 */
export class DemoShop {
  readonly #sandbox: Sandbox
  readonly #origin: string
  readonly #collected: string[] = []
  #order = ''

  /** @param origin the shop's origin, which is also the vault's */
  constructor(sandbox: Sandbox, origin: string) {
    this.#sandbox = sandbox
    this.#origin = origin
  }

  /** The payment method's identifier. */
  get method(): string {
    return `${this.#origin}/payment`
  }

  /** Who is paid: `did:web` of the origin. */
  get did(): string {
    return `did:web:${encodeURIComponent(new URL(this.#origin).host)}`
  }

  /** Starts an order. @returns its reference */
  order(): string {
    this.#order = `DEMO-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
    return this.#order
  }

  /** The arguments of a PaymentRequest for the latest order. @param label of its total */
  request(label: string): ConstructorParameters<typeof PaymentRequest> {
    const data = { order: this.#order, receiptKey: this.#sandbox.owner.did }
    const value = (CART.total / 100).toFixed(2)
    return [
      [{ supportedMethods: this.method, data }],
      { total: { label, amount: { currency: CART.currency, value } } },
    ]
  }

  /** Takes an authorisation for the latest order, offline and only once. */
  async collect({ methodName, token }: ShopAnswer): Promise<ShopVerdict> {
    const verdict = await this.#sandbox.enclave.call('validate_invocation', {
      invocation: token,
      audience: this.did,
      seen: this.#collected,
    })
    if (isRefusal(verdict)) return { paid: false, name: verdict.code, message: verdict.error }
    if (!verdict.valid) return { paid: false, ...verdict.error }
    const { args = {}, cid, command, issuer, subject, task, expires_at: end } = verdict
    const checks: ShopCheck[] = [
      // Browsers let a handler name any method.
      { of: 'method', found: methodName, held: methodName === this.method },
      { of: 'issuer', found: issuer, held: issuer === subject },
      { of: 'audience', found: String(args.payee), held: args.payee === this.did },
      { of: 'command', found: command, held: command === '/payment/authorize' },
      {
        of: 'amount',
        found: `${args.amount} ${args.currency}`,
        held: args.amount === CART.total && args.currency === CART.currency,
      },
      { of: 'order', found: String(args.order), held: args.order === this.#order },
      { of: 'end', found: end ?? '', held: end !== null && end <= Date.now() / 1000 + LONGEST },
    ]
    if (!checks.every(({ held }) => held)) return { paid: false, checks }
    this.#collected.push(cid)
    await this.#sandbox.ready()
    const receipt = await this.#sandbox.ask('issue_receipt', { task, ok: {} })
    return { paid: true, checks, receipt: textOf(receipt, 'token') }
  }
}
