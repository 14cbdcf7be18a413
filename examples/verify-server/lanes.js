// Who is served first. Checking a token costs the same whether it is good or not, and a stranger may send as many as it likes.
// So what comes with proofs that were good before has an enclave of its own, and everybody else shares another, one at a
// time and by turns: the stranger waits behind the stranger.
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BadRequest } from './request.js'
import { digestOf, digestsIn } from './shown-tokens.js'

/** @typedef {import('@keyhole/enclave').Enclave} Enclave */
/** @typedef {{client: string, length: number, work: (enclave: Enclave) => Promise<any>, resolve: (value: any) => void, reject: (reason: unknown) => void}} Job */

/** Requests of strangers that wait at most, and of one of them. */
const MOST_WAITING = 64
const MOST_WAITING_EACH = 8
/** Proofs that are remembered: those that were used last. */
const MOST_PROOFS = 8_192
/** Strangers whose use is remembered. */
const MOST_CLIENTS = 4_096
/** While known clients are served, strangers' checks take a tenth of a core: after each, nine times its time is theirs. */
const REST = 9
/** Milliseconds for which known clients are taken to be still there. */
const STILL_THERE = 250
/** A refused request weighs this many times what an authorised one does, in whose turn it is. */
const REFUSED = 10
/** Milliseconds after which half of what a client has used is forgotten. */
const HALF_LIFE = 10_000

/** The two lanes. */
export class Lanes {
  #known
  #strangers
  #clock
  /** @type {Set<string>} Digests, the longest unused first. */
  #proofs = new Set()
  #underWay = 0
  #lastKnown = Number.NEGATIVE_INFINITY
  #queue

  /**
   * @param {{known: Enclave, strangers: Enclave}} enclaves
   * @param {() => number} [clock] milliseconds that only grow
   */
  constructor({ known, strangers }, clock = () => performance.now()) {
    this.#known = known
    this.#strangers = strangers
    this.#clock = clock
    this.#queue = new Queue(
      (job) => job.work(this.#strangers),
      () => this.#underWay > 0 || clock() - this.#lastKnown < STILL_THERE,
      clock,
    )
  }

  /**
   * Does the work of a request in the lane that it belongs to.
   *
   * @template {{authorised: {chain: readonly {cid: string}[]}} | {error: {name: string}} | {accepted: unknown}} T
   * @param {string} text the token
   * @param {string | undefined} address where it comes from
   * @param {(enclave: Enclave) => Promise<T>} work
   * @returns {Promise<T>}
   * @throws {BadRequest} Busy, where too many wait
   */
  async run(text, address, work) {
    const digests = digestsIn(text) ?? []
    const proofs = digests.filter((digest) => this.#proofs.has(digest))
    // All its proofs were good before, and what is new is the invocation alone.
    const isKnown = proofs.length > 0 && digests.length - proofs.length <= 1
    const decided = isKnown
      ? await this.#runKnown(work)
      : await this.#queue.add({ client: clientOf(address), length: text.length, work })
    if ('authorised' in decided) {
      for (const { cid } of decided.authorised.chain) this.#learn(digestOf(cid))
    } else if (isKnown && 'error' in decided && decided.error.name !== 'Replayed') {
      // Whoever is refused with them is a stranger again, until they are good once more.
      for (const proof of proofs) this.#proofs.delete(proof)
    }
    return decided
  }

  /** @template T @param {(enclave: Enclave) => Promise<T>} work */
  async #runKnown(work) {
    this.#underWay += 1
    try {
      return await work(this.#known)
    } finally {
      this.#underWay -= 1
      this.#lastKnown = this.#clock()
    }
  }

  /** @param {string} proof */
  #learn(proof) {
    this.#proofs.delete(proof)
    this.#proofs.add(proof)
    if (this.#proofs.size <= MOST_PROOFS) return
    for (const oldest of this.#proofs) {
      this.#proofs.delete(oldest)
      return
    }
  }
}

/**
 * Strangers' requests, one at a time: first of whoever used least lately, and of that one the shortest.
 */
class Queue {
  #run
  #isPressed
  #clock
  /** @type {Job[]} */
  #waiting = []
  /** @type {Map<string, {used: number, at: number}>} What each client used, in milliseconds, at a moment. */
  #clients = new Map()
  #isRunning = false

  /**
   * @param {(job: Job) => Promise<unknown>} run
   * @param {() => boolean} isPressed whether known clients are being served
   * @param {() => number} clock
   */
  constructor(run, isPressed, clock) {
    this.#run = run
    this.#isPressed = isPressed
    this.#clock = clock
  }

  /** @param {{client: string, length: number, work: (enclave: Enclave) => Promise<any>}} asked @returns {Promise<any>} */
  add(asked) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...asked, resolve, reject })
      const own = this.#waiting.filter(({ client }) => client === asked.client)
      if (own.length > MOST_WAITING_EACH) this.#refuse(longest(own))
      else if (this.#waiting.length > MOST_WAITING) this.#refuse(this.#next(-1))
      void this.#work()
    })
  }

  /** @param {Job | undefined} job */
  #refuse(job) {
    if (!job) return
    this.#waiting.splice(this.#waiting.indexOf(job), 1)
    job.reject(new BadRequest(503, 'Busy', 'Too many requests wait here. Try again in a moment.'))
  }

  async #work() {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let job = this.#next(1); job; job = this.#next(1)) {
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      const start = this.#clock()
      const isAuthorised = await this.#answer(job)
      const taken = this.#clock() - start
      this.#charge(job.client, isAuthorised ? taken / REFUSED : taken)
      if (this.#isPressed()) await sleep(taken * REST, undefined, { ref: false })
    }
    this.#isRunning = false
  }

  /** @param {Job} job @returns {Promise<boolean>} whether it was authorised */
  async #answer(job) {
    try {
      const decided = /** @type {object} */ (await this.#run(job))
      job.resolve(decided)
      return !('error' in decided)
    } catch (error) {
      job.reject(error)
      return false
    }
  }

  /**
   * Of whoever used least (1) or most (-1), the shortest or the longest.
   * @param {1 | -1} sign @returns {Job | undefined}
   */
  #next(sign) {
    /** @type {Job | undefined} */
    let best
    for (const job of this.#waiting) {
      if (!best) best = job
      else {
        const use = this.#usedBy(job.client) - this.#usedBy(best.client)
        if (sign * (use || job.length - best.length) < 0) best = job
      }
    }
    return best
  }

  /** @param {string} client */
  #usedBy(client) {
    const use = this.#clients.get(client)
    return use ? use.used * 0.5 ** ((this.#clock() - use.at) / HALF_LIFE) : 0
  }

  /** @param {string} client @param {number} milliseconds */
  #charge(client, milliseconds) {
    const used = this.#usedBy(client) + milliseconds
    this.#clients.delete(client)
    this.#clients.set(client, { used, at: this.#clock() })
    if (this.#clients.size <= MOST_CLIENTS) return
    for (const oldest of this.#clients.keys()) {
      this.#clients.delete(oldest)
      return
    }
  }
}

/** @param {Job[]} jobs */
const longest = (jobs) => jobs.reduce((one, other) => (other.length > one.length ? other : one))

/**
 * Whose an address is: one of IPv6 is of a network of 2⁶⁴. Behind a proxy all come from one, and share.
 * @param {string | undefined} address
 */
function clientOf(address = '') {
  return isIPv6(address) && !address.startsWith('::ffff:')
    ? address.split(':').slice(0, 4).join(':')
    : address
}
