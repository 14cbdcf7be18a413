// How a shop checks the answer to its request: offline, with @keyhole/enclave alone.
import { isRefusal } from '@keyhole/enclave'

/**
 * @typedef {object} Order what the shop asked for
 * @property {string} order its reference
 * @property {number} amount in the currency's smallest unit
 * @property {string} currency
 *
 * @typedef {{methodName: string, details: unknown}} PaymentAnswer as the browser passed it to the shop's page
 * @typedef {{paid: {cid: string, task: string, by: string, order: string}} | {unpaid: string}} Verdict
 */

/** The longest time until an authorisation may expire, in seconds: an hour, plus a minute for clocks that differ. */
const LONGEST = 60 * 60 + 60

/** A shop at an origin. It accepts each authorisation once and each order is paid once. */
export class Shop {
  #enclave
  #origin
  #method
  #now
  /** @type {Set<string>} */
  #collected = new Set()
  /** @type {Map<string, Order>} */
  #orders = new Map()

  /**
   * @param {object} options
   * @param {import('@keyhole/enclave').Enclave} options.enclave one without keys
   * @param {string} options.origin the shop's origin
   * @param {string} options.method the payment method it takes
   * @param {() => number} [options.now] seconds since 1970
   */
  constructor({ enclave, origin, method, now = () => Math.floor(Date.now() / 1000) }) {
    this.#enclave = enclave
    this.#origin = origin
    this.#method = method
    this.#now = now
  }

  /** @param {Order} order */
  expect(order) {
    this.#orders.set(order.order, order)
  }

  /**
   * Whether an answer pays an order.
   * @param {string} reference the order to pay
   * @param {PaymentAnswer} answer
   * @returns {Promise<Verdict>} if not, one word for why: the answer's status, or the rule it broke
   */
  async collect(reference, { methodName, details }) {
    // Browsers let a handler name any method.
    if (methodName !== this.#method) return { unpaid: 'methodName' }
    const { status, token } = Object(details)
    if (status !== 'authorized' || typeof token !== 'string') return { unpaid: String(status) }
    const payee = `did:web:${new URL(this.#origin).host.replace(':', '%3A')}`
    /** @type {import('@keyhole/enclave').ValidationResult | import('@keyhole/enclave').Refusal} */
    const verdict = await this.#enclave.call('validate_invocation', {
      invocation: token,
      audience: payee,
      now: this.#now(),
      seen: [...this.#collected],
    })
    if (isRefusal(verdict)) return { unpaid: 'refusal' }
    if (!verdict.valid) return { unpaid: verdict.error.name }
    const { cid, task, command, subject, issuer, args = {}, expires_at: end } = verdict
    // The payer must be the one who signed. A chain from anyone else would not spend the payer's money.
    if (command !== '/payment/authorize' || subject !== issuer) return { unpaid: 'command' }
    if (end === null || end > this.#now() + LONGEST) return { unpaid: 'end' }
    const asked = this.#orders.get(reference)
    if (!asked || args.order !== asked.order) return { unpaid: 'order' }
    if (args.amount !== asked.amount || args.currency !== asked.currency) return { unpaid: 'amount' }
    if (args.payee !== payee) return { unpaid: 'payee' }
    // Another answer may have been collected in the meantime.
    if (this.#collected.has(cid)) return { unpaid: 'Replayed' }
    this.#collected.add(cid)
    this.#orders.delete(reference)
    return { paid: { cid, task, by: issuer, order: asked.order } }
  }
}
