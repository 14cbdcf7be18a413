import type { Connection, WorkerPlan } from '../worker/connection.ts'
import type { CallMessage, WorkerMessage } from '../worker/protocol.ts'

/** A call that a worker hasn't answered. */
export interface FakeCall {
  readonly worker: FakeWorker
  readonly name: string
  /** `invocations` also for a call with a single one. */
  readonly input: { readonly invocations: readonly string[]; readonly [check: string]: unknown }
  /** Answers as the plugin would for these invocations, or with something else. */
  answer(output?: unknown): void
  /** Answers that the plugin trapped. */
  fail(failure: string): void
}

/** A worker controlled by the test. */
export interface FakeWorker {
  ended: boolean
  /** Ends unexpectedly. */
  die(): void
}

/** The result for an invocation, by its text: one starting with `bad` is invalid, any other is its own CID. */
export const verdict = (text: string) =>
  text.startsWith('bad')
    ? { valid: false, error: { name: 'Expired', message: 'It has expired.', cid: text } }
    : { valid: true, cid: text }

/** Workers for a pool that answer when the test says so, to try every order of events. */
export class FakeWorkers {
  readonly workers: FakeWorker[] = []
  /** Calls without an answer, oldest first. */
  readonly calls: FakeCall[] = []
  /** Whether each of the next starts fails. */
  readonly failing: boolean[] = []
  #heard: (() => void)[] = []

  readonly plan: WorkerPlan = {
    kind: 'worker',
    restarts: true,
    stateless: true,
    locks: undefined,
    spawn: async (gone) => this.#spawn(gone),
  }

  /** The oldest calls, once there are `count` of them. */
  async asked(count: number): Promise<FakeCall[]> {
    while (this.calls.length < count) await new Promise<void>((resolve) => this.#heard.push(resolve))
    return this.calls.slice(0, count)
  }

  /** Answers everything until no calls remain. */
  async answerAll(): Promise<void> {
    while (this.calls.length > 0) {
      this.calls[0]?.answer()
      await Promise.resolve()
    }
  }

  #spawn(gone: (reason: string) => void): Connection {
    if (this.failing.shift()) throw new Error('no more threads')
    let hear = (_: WorkerMessage): void => {}
    const worker: FakeWorker = {
      ended: false,
      die: () => gone('it was killed'),
    }
    this.workers.push(worker)
    return {
      busy() {},
      terminate: () => {
        worker.ended = true
        for (const call of this.calls.filter((each) => each.worker === worker)) this.#take(call)
      },
      port: {
        listen: (listener) => {
          hear = listener
        },
        post: (message) => {
          if (message.type === 'open') hear({ type: 'ready', lock: undefined })
          if (message.type === 'calls')
            for (const call of message.calls) this.#ask(worker, call, (said) => hear(said))
        },
        close() {},
      },
    }
  }

  #ask(worker: FakeWorker, [id, name, text]: CallMessage, hear: (message: WorkerMessage) => void): void {
    const { invocation, ...given } = JSON.parse(String(text))
    const input: FakeCall['input'] =
      invocation === undefined ? given : { invocations: [invocation], ...given }
    const said = () =>
      invocation === undefined ? { results: input.invocations.map(verdict) } : verdict(invocation)
    const call: FakeCall = {
      worker,
      name,
      input,
      answer: (output = said()) => {
        this.#take(call)
        hear({ type: 'answers', answers: [[id, JSON.stringify(output)]] })
      },
      fail: (failure) => {
        this.#take(call)
        hear({ type: 'answers', answers: [[id, undefined, failure]] })
      },
    }
    this.calls.push(call)
    for (const tell of this.#heard.splice(0)) tell()
  }

  #take(call: FakeCall): void {
    const at = this.calls.indexOf(call)
    if (at >= 0) this.calls.splice(at, 1)
  }
}
