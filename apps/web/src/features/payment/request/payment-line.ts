import * as v from 'valibot'
import { type WindowState, workerMessage } from './worker-messages.ts'

/** What the service worker is asked with; a port for the answer goes along. */
const ASKING = 'which payment is this window for'

/** A site that waits no more: it took the payment back, its time was up, or its order was answered before. */
export class PaymentOver extends Error {
  override readonly name = 'PaymentOver'
}

/** Where the payment comes from: the end of a port that only the service worker has the other end of. */
export interface Connection {
  /** Sends the port to the worker. False where there is none. */
  ask(message: string, port: MessagePort): Promise<boolean>
}

/** The worker that handles this window's payment: the one that is active, whether or not it controls the page. */
const toServiceWorker: Connection = {
  ask: async (message, port) => {
    const registration = await navigator.serviceWorker?.getRegistration('/')
    const worker = registration?.active
    worker?.postMessage(message, [port])
    return worker !== null && worker !== undefined
  },
}

/**
 * The line to the site that waits in this window, by way of the service worker: the request comes over it once, and one answer goes
 * back. Nothing else that reaches the page, its address least of all, makes a payment of it.
 */
export class PaymentLine {
  readonly #connection: Connection
  readonly #listeners = new Set<() => void>()
  #state: WindowState = { phase: 'asking' }
  #port: MessagePort | undefined
  #leave: { allow: () => void; refuse: (why: PaymentOver) => void } | undefined
  #hasAsked = false

  constructor(connection: Connection = toServiceWorker) {
    this.#connection = connection
  }

  readonly state = (): WindowState => this.#state

  /** Asks what the window is for, the first time. @returns the unsubscribe */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (!this.#hasAsked) {
      this.#hasAsked = true
      void this.#ask()
    }
    return () => this.#listeners.delete(listener)
  }

  /**
   * Asks for leave to sign. After it the site can neither take the payment back nor stop waiting: what follows is {@link deliver} or
   * {@link notSigned}.
   * @throws PaymentOver where it waits no more
   */
  async askToSign(): Promise<void> {
    if (this.#state.phase !== 'payment' || this.#leave !== undefined)
      throw new PaymentOver('No payment waits here.')
    await new Promise<void>((allow, refuse) => {
      this.#leave = { allow, refuse }
      this.#port?.postMessage('sign')
    })
  }

  /** Gives the site the authorisation. The browser then closes the window. */
  deliver(token: string): void {
    if (this.#state.phase === 'ended') return
    this.#port?.postMessage({ token })
    this.#become({ phase: 'ended', how: 'answered' })
  }

  /**
   * The same after a moment in which it can be seen, or as soon as the window is closed: from now on the site gets it whatever becomes
   * of the page.
   * @param milliseconds how long it can be seen
   */
  deliverLater(token: string, milliseconds: number): void {
    this.#port?.postMessage({ token, later: true })
    setTimeout(() => this.deliver(token), milliseconds)
  }

  /** Nothing was signed after all: the site may take its request back again. */
  notSigned(): void {
    this.#port?.postMessage('not signed')
  }

  /** Tells the site no: `refuse` where no person could have approved what it asks. The browser then closes the window. */
  end(how: 'decline' | 'refuse'): void {
    this.#port?.postMessage(how)
    this.#become({ phase: 'ended', how: 'answered' })
  }

  async #ask(): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => this.#hear(data)
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
        // Once: what is shown is never another's.
        if (this.#state.phase === 'asking') this.#become(stateOf(message))
        return
      case 'sign':
        this.#leave?.allow()
        this.#leave = undefined
        return
      case 'answered before':
        this.#over('answered before')
        return
      case 'ended':
        this.#over(message.status)
    }
  }

  #over(how: 'timeout' | 'aborted' | 'answered before'): void {
    this.#leave?.refuse(new PaymentOver('The site waits no more.'))
    this.#leave = undefined
    this.#become({ phase: 'ended', how })
  }

  #become(state: WindowState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

type Handed = Extract<v.InferOutput<typeof workerMessage>, { type: 'request' }>

function stateOf({ request, until }: Handed): WindowState {
  if ('payment' in request) return { phase: 'payment', asked: Object.freeze(request.payment), until }
  return { phase: 'problem', problem: request.problem, origin: request.origin }
}
