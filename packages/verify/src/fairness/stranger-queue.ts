import { VerifyError } from '../errors.ts'
import { networkOf } from './network.ts'

/** How many checks may wait. */
export interface MostWaiting {
  readonly all: number
  /** Of one network. */
  readonly each: number
}

const MOST_WAITING: MostWaiting = { all: 512, each: 64 }
/** Networks whose use is remembered. */
const MOST_NETWORKS = 4_096
/**
 * While known clients are served, strangers' checks get a tenth of a core: after each one, others get nine times as
 * long.
 */
const REST = 9
/** A refused check counts this many times as much as an allowed one when deciding whose turn it is. */
const REFUSED = 10
/** After this many milliseconds, half of a network's use is forgotten. */
const HALF_LIFE = 10_000

/** Elsewhere than in Node it may be a number. */
type Timer = Partial<Pick<ReturnType<typeof setTimeout>, 'ref' | 'unref'>>

/** One check. */
interface Job {
  readonly network: string | undefined
  readonly order: number
  /** Checks. @returns a function that settles the caller's promise, and whether the token was good */
  run(): Promise<{ readonly isGood: boolean; settle(): void }>
  refuse(error: VerifyError): void
}

/**
 * Runs one check at a time: for the network with the least use, and there the one of the lowest order. At most 512 wait, and 64 of one
 * network (an IPv4 address, or 56 bits of an IPv6 address), unless other numbers are given. Of more of one network, the one of the highest
 * order is refused; of more in total, the same of the network with the most use.
 */
export class StrangerQueue {
  readonly #isPressed: () => boolean
  readonly #clock: () => number
  readonly #most: MostWaiting
  readonly #waiting: Job[] = []
  /** What each network had used, in milliseconds, at a certain time. */
  readonly #networks = new Map<string, { readonly used: number; readonly at: number }>()
  #isRunning = false
  #pause: Timer | undefined

  /**
   * @param isPressed whether known clients are being served
   * @param clock monotonic, in milliseconds
   */
  constructor(isPressed: () => boolean, clock: () => number, most: MostWaiting = MOST_WAITING) {
    this.#isPressed = isPressed
    this.#clock = clock
    this.#most = most
  }

  /**
   * Runs a check when it is its turn.
   *
   * @param address IP address of the client; undefined if unknown
   * @param order of a network's checks the lowest goes first, and of too many the highest is refused: a token's length, or when it came
   * @param isGood whether the result is that of a good token, which is charged less
   * @throws VerifyError BUSY if too many wait; CHECK_FAILED if the queue is closed; and what the check throws
   */
  run<T>(
    {
      address,
      order,
      isGood,
    }: {
      readonly address: string | undefined
      readonly order: number
      readonly isGood: (value: T) => boolean
    },
    check: () => Promise<T>,
  ): Promise<T> {
    const network = address === undefined ? undefined : networkOf(address)
    return new Promise<T>((resolve, refuse) => {
      const run = () =>
        check().then(
          (value) => ({ isGood: isGood(value), settle: () => resolve(value) }),
          (error) => ({ isGood: false, settle: () => refuse(error) }),
        )
      this.#add({ network, order, run, refuse })
    })
  }

  #add(job: Job): void {
    const { network } = job
    this.#waiting.push(job)
    this.#pause?.ref?.()
    const own = network === undefined ? [] : this.#waiting.filter((each) => each.network === network)
    if (own.length > this.#most.each) this.#refuse(last(own))
    else if (this.#waiting.length > this.#most.all) this.#refuse(this.#next(-1))
    void this.#work()
  }

  /** Refuses all waiting checks. */
  close(): void {
    for (const job of this.#waiting.splice(0))
      job.refuse(new VerifyError('CHECK_FAILED', 'The verifier was closed.'))
  }

  #refuse(job: Job | undefined): void {
    if (!job) return
    this.#waiting.splice(this.#waiting.indexOf(job), 1)
    job.refuse(new VerifyError('BUSY', 'Too many tokens are waiting to be checked. Try again in a moment.'))
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let job = this.#next(1); job; job = this.#next(1)) {
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      const began = this.#clock()
      const { isGood, settle } = await job.run()
      const taken = this.#clock() - began
      settle()
      if (job.network !== undefined) this.#charge(job.network, isGood ? taken / REFUSED : taken)
      if (this.#isPressed()) await this.#rest(taken * REST)
    }
    this.#isRunning = false
  }

  /** A process that has nothing else to do ends meanwhile, unless a check waits. */
  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#pause = setTimeout(resolve, milliseconds)
      if (this.#waiting.length === 0) this.#pause.unref?.()
    })
  }

  /** For the network with the least (1) or the most (-1) use, the one of the lowest or the highest order. */
  #next(sign: 1 | -1): Job | undefined {
    const uses = new Map<string | undefined, number>()
    const useOf = (network: string | undefined) => {
      const use = uses.get(network) ?? this.#usedBy(network)
      uses.set(network, use)
      return use
    }
    let best: Job | undefined
    for (const job of this.#waiting) {
      const more = best ? useOf(job.network) - useOf(best.network) || job.order - best.order : -sign
      if (sign * more < 0) best = job
    }
    return best
  }

  #usedBy(network: string | undefined): number {
    const use = network === undefined ? undefined : this.#networks.get(network)
    return use ? use.used * 0.5 ** ((this.#clock() - use.at) / HALF_LIFE) : 0
  }

  #charge(network: string, milliseconds: number): void {
    const used = this.#usedBy(network) + milliseconds
    this.#networks.delete(network)
    this.#networks.set(network, { used, at: this.#clock() })
    if (this.#networks.size <= MOST_NETWORKS) return
    const [oldest] = this.#networks.keys()
    if (oldest !== undefined) this.#networks.delete(oldest)
  }
}

const last = (jobs: readonly Job[]) => jobs.reduce((one, other) => (other.order > one.order ? other : one))
