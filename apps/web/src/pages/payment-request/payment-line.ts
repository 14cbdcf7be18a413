import type { PaymentRecord } from '@keyhole/vault'
import * as v from 'valibot'
import { type WindowState, workerMessage } from './worker-messages.ts'

/** The question to the service worker. A port for the answer goes with it. */
const ASKING = 'which payment is this window for'

/** A site that no longer waits: it took the payment back, its time was up, or this request was already allowed to sign. */
export class PaymentOver extends Error {
  override readonly name = 'PaymentOver'
}

/** Why a site that still waits gets no answer, by a name that is put into words. */
export class PaymentTrouble extends Error {
  override readonly name: 'RequestNotNoted' | 'OtherPayment' | 'BegunElsewhere'

  constructor(name: PaymentTrouble['name'], options?: ErrorOptions) {
    super('', options)
    this.name = name
  }
}

/** Where the payment comes from: a port whose other end only the service worker has. */
export interface Connection {
  /** Sends the port to the worker. False if there is no worker. */
  ask(message: string, port: MessagePort): Promise<boolean>
  /** Resolves when the worker is gone. It holds a lock for as long as it lives. */
  gone(life: string): Promise<void>
}

/** The worker that handles this window's payment: the active one, whether or not it controls the page. */
const toServiceWorker: Connection = {
  ask: async (message, port) => {
    const registration = await navigator.serviceWorker?.getRegistration('/')
    const worker = registration?.active
    worker?.postMessage(message, [port])
    return worker !== null && worker !== undefined
  },
  gone: async (life) => {
    await navigator.locks.request(life, () => undefined)
  },
}

/**
 * The connection to the site that waits in this window, through the service worker. It brings one request and takes back one answer.
 * Nothing else that reaches the page can become a payment, least of all its address.
 */
export class PaymentLine {
  readonly #connection: Connection
  readonly #listeners = new Set<() => void>()
  #state: WindowState = { phase: 'asking' }
  #port: MessagePort | undefined
  #leave: { allow: () => void; refuse: (why: PaymentOver | PaymentTrouble) => void } | undefined
  #hasAsked = false
  /** It has permission to sign, and hasn't said that nothing was signed. */
  #isLetSign = false
  #isLost = false
  /** The payment to give to the site. */
  #signed: PaymentRecord | undefined
  readonly #ended: Promise<void>
  #end: () => void = () => undefined

  constructor(connection: Connection = toServiceWorker) {
    this.#connection = connection
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  readonly state = (): WindowState => this.#state

  /** Asks what the window is for, the first time. @returns the unsubscribe function */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (!this.#hasAsked) {
      this.#hasAsked = true
      void this.#ask()
    }
    return () => this.#listeners.delete(listener)
  }

  /**
   * Asks for permission to sign. After that the site can neither take the payment back nor stop waiting. {@link deliver},
   * {@link notSigned} or {@link unsure} must follow.
   * @throws PaymentOver if it no longer waits
   * @throws PaymentTrouble `RequestNotNoted`: it could not be recorded, so it must not be signed now
   */
  async askToSign(): Promise<void> {
    if (this.#state.phase !== 'payment' || this.#leave !== undefined || this.#isLetSign)
      throw new PaymentOver('No payment waits here.')
    await new Promise<void>((allow, refuse) => {
      this.#leave = { allow, refuse }
      this.#port?.postMessage('sign')
    })
  }

  /** Gives the site the authorisation. The browser then closes the window. @returns once the site has it, or can no longer get it */
  async deliver(record: PaymentRecord): Promise<void> {
    this.#signed = record
    if (this.#isLost) return this.#lose()
    this.#port?.postMessage({ token: record.token })
    await this.#ended
  }

  /**
   * The same after a moment in which it is visible, or as soon as the window closes. From now on the site gets it whatever happens to the
   * page.
   * @param milliseconds how long it is visible
   */
  deliverLater(record: PaymentRecord, milliseconds: number): void {
    this.#signed = record
    if (!this.#isLost) this.#port?.postMessage({ token: record.token, later: true })
    setTimeout(() => void this.deliver(record), this.#isLost ? 0 : milliseconds)
  }

  /** Nothing was signed after all: the site may take its request back again, and another may be signed instead. */
  notSigned(): void {
    this.#isLetSign = false
    this.#port?.postMessage('not signed')
    if (this.#isLost) this.#lose()
  }

  /** We can't tell now whether something was signed. Nothing else is signed for this request until we can. */
  unsure(): void {
    if (this.#isLost) this.#become({ phase: 'ended', how: 'lost', signed: 'unknown' })
  }

  /** Tells the site no: `refuse` if no one could have approved what it asks. The browser then closes the window. */
  end(how: 'decline' | 'refuse'): void {
    this.#port?.postMessage(how)
  }

  async #ask(): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => this.#hear(data)
    // A worker that ends before it has said anything closes its end of the port.
    port1.addEventListener('close', () => this.#hear({ type: 'nothing' }))
    this.#port = port1
    const isAsked = await this.#connection.ask(ASKING, port2).catch(() => false)
    if (!isAsked) this.#become({ phase: 'nothing' })
  }

  #hear(data: unknown): void {
    const { success, output: message } = v.safeParse(workerMessage, data)
    if (!success) return
    switch (message.type) {
      case 'nothing':
        if (this.#state.phase === 'asking') this.#become({ phase: 'nothing' })
        return
      case 'request':
        // Only once: the window never shows a different request later.
        if (this.#state.phase === 'asking') this.#show(message)
        return
      case 'sign':
        this.#isLetSign = true
        this.#leave?.allow()
        this.#leave = undefined
        return
      case 'not claimed':
        this.#leave?.refuse(new PaymentTrouble('RequestNotNoted'))
        this.#leave = undefined
        return
      case 'claimed before':
        this.#over('claimed before')
        return
      case 'ended':
        this.#over(message.status)
    }
  }

  #show(handed: Handed): void {
    this.#become(stateOf(handed))
    void this.#connection.gone(handed.life).then(() => {
      this.#isLost = true
      // Signing is in progress, so wait for it.
      if (this.#signed !== undefined || !this.#isLetSign) this.#lose()
    })
  }

  #over(how: 'timeout' | 'aborted' | 'answered' | 'claimed before'): void {
    this.#refuseLeave()
    this.#become({ phase: 'ended', how })
  }

  #lose(): void {
    this.#refuseLeave()
    this.#become({ phase: 'ended', how: 'lost', signed: this.#signed ?? 'nothing' })
  }

  #refuseLeave(): void {
    this.#leave?.refuse(new PaymentOver('The site waits no more.'))
    this.#leave = undefined
  }

  #become(state: WindowState): void {
    const { phase, how } = { how: undefined, ...this.#state }
    // Only "claimed before" can change: the person reads it, then the site is released. Everything else is final.
    if (phase === 'ended' && how !== 'claimed before') return
    this.#state = state
    if (state.phase === 'ended') this.#end()
    for (const listener of this.#listeners) listener()
  }
}

type Handed = Extract<v.InferOutput<typeof workerMessage>, { type: 'request' }>

function stateOf({ request, until }: Handed): WindowState {
  if ('payment' in request) return { phase: 'payment', asked: Object.freeze(request.payment), until }
  return { phase: 'problem', problem: request.problem, origin: request.origin }
}
