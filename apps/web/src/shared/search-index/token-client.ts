import { type KeyVault, type SealedLabel, VaultError } from '@keyhole/vault'
import { refused, type TokenRecord } from '@keyhole/vault/token-reader'
import { i18n } from '@lingui/core'
import { scriptUrl } from '../browser/trusted-types.ts'
import { clientVault } from '../vault/vault.ts'
import { commandWords } from '../words/command.ts'
import {
  type Answers,
  type ListedToken,
  type Question,
  refusalOf,
  type SearchEntry,
  sentRefusal,
  type ToPage,
  type ToService,
} from './token-messages.ts'
import workerUrl from './token-worker.ts?worker&url'

/** Where the service of the tokens is: in a Worker, or, where that cannot be had, in this page. */
interface Line {
  post(message: ToService): void
  end(): void
}

export interface TokenClientState {
  /** How far the tokens have been read, where it takes a while. */
  readonly reading: { readonly read: number; readonly total: number } | undefined
  /** Whether no Worker could be had: long lists then make the page wait. */
  readonly slow: boolean
}

interface Wish {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** An answer that is kept up to date while someone looks at it. */
interface WatchedAnswer {
  readonly question: (now: number) => Question
  answer: LiveAnswer
  readonly lookers: Set<() => void>
  asked: number
}

/** An answer as it is shown: the last that came, and what the next was refused with. */
export interface LiveAnswer<T = unknown> {
  readonly answer: T | undefined
  readonly failure: VaultError | undefined
}

const NOTHING: LiveAnswer = { answer: undefined, failure: undefined }
/** What stands to a time is asked for again this often, in milliseconds. */
const TICK = 10_000
/** Entries laid out in one go: a few milliseconds' worth. */
const SLICE = 250
/** Answers that nobody looks at are kept as long as there are no more than these. */
const UNUSED = 16

/**
 * The page's way to the service of its tokens. It follows the vault: another account, and a lock, end the service with all
 * that it knew, and what was shown goes on without its labels.
 */
class TokenClient {
  readonly #vault: KeyVault
  readonly #watched = new Map<string, WatchedAnswer>()
  readonly #wishes = new Map<number, Wish>()
  readonly #watchers = new Set<() => void>()
  /** What was laid out, until a lock. */
  #lists = new Map<string, readonly unknown[]>()
  #state: TokenClientState = { reading: undefined, slow: false }
  #line: Line | undefined
  #address: string | undefined
  #unlocked = false
  #version = -1
  #ids = 0
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(vault: KeyVault) {
    this.#vault = vault
    vault.subscribe(() => this.#follow())
    // What is laid out in words is laid out anew in the words of another language.
    i18n.on('change', () => this.#begin(false))
    this.#follow()
  }

  readonly getState = (): TokenClientState => this.#state

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Looks at the answer to a question under a name of its own, until the function that is returned is called. */
  look(name: string, question: (now: number) => Question, looker: () => void): () => void {
    let watched = this.#watched.get(name)
    if (!watched) {
      watched = { question, answer: NOTHING, lookers: new Set(), asked: 0 }
      this.#watched.set(name, watched)
      this.#renew(watched)
    }
    const { lookers } = watched
    lookers.add(looker)
    this.#timer ??= setInterval(() => this.#renewAll(), TICK)
    return () => {
      lookers.delete(looker)
      this.#tidy()
    }
  }

  /** Whether there is an answer under a name. */
  isAnswered(name: string): boolean {
    return (this.#watched.get(name)?.answer ?? NOTHING) !== NOTHING
  }

  /** The answer under a name; until there is one, the answer under the one that was looked at before. */
  answer(name: string, before?: string): LiveAnswer {
    const of = this.isAnswered(name) ? name : before
    return (of === undefined ? undefined : this.#watched.get(of)?.answer) ?? NOTHING
  }

  /** Asks once. Rejects where the tokens cannot be read, and when the vault is locked or left before there is an answer. */
  async ask<A extends keyof Answers>(question: Question & { readonly ask: A }): Promise<Answers[A]> {
    const line = this.#line
    if (!line) throw refused('NoVault')
    this.#ids += 1
    const id = this.#ids
    const answer = new Promise<unknown>((resolve, reject) => this.#wishes.set(id, { resolve, reject }))
    line.post({ do: 'answer', id, question })
    // The service is our own code, and answers each question with what `Answers` says.
    return (await answer) as Answers[A]
  }

  /** Lays out what is to be found besides tokens; the same list again changes nothing. */
  put<T>(group: string, list: readonly T[], toEntries: (list: readonly T[]) => readonly SearchEntry[]): void {
    if (!this.#line || this.#lists.get(group) === list) return
    this.#lists.set(group, list)
    void this.#putInSlices(group, list, toEntries)
  }

  /** What is short at once; of what is long a slice at a time, the page's own work between them. */
  async #putInSlices<T>(
    group: string,
    list: readonly T[],
    toEntries: (list: readonly T[]) => readonly SearchEntry[],
  ): Promise<void> {
    const line = this.#line
    for (let at = 0; line; at += SLICE) {
      const isLast = at + SLICE >= list.length
      line.post({ do: 'entries', group, entries: toEntries(list.slice(at, at + SLICE)), at, isLast })
      if (isLast) return
      await new Promise((resolve) => setTimeout(resolve))
      if (this.#line !== line || this.#lists.get(group) !== list) return
    }
  }

  #follow(): void {
    const { phase, address, tokensVersion } = this.#vault.getSnapshot()
    const open = phase === 'locked' || phase === 'unlocked' ? address : undefined
    const unlocked = phase === 'unlocked'
    if (open !== this.#address || (this.#unlocked && !unlocked)) {
      const left = open !== this.#address
      this.#address = open
      this.#unlocked = unlocked
      this.#version = tokensVersion
      this.#begin(left)
      return
    }
    if (unlocked && !this.#unlocked) {
      this.#unlocked = true
      this.#line?.post({ do: 'unlocked' })
    }
    if (tokensVersion === this.#version) return
    this.#version = tokensVersion
    this.#line?.post({ do: 'follow' })
  }

  /** Ends the service, and begins with a new one where an account is open. */
  #begin(left: boolean): void {
    this.#end(left)
    if (this.#address !== undefined) this.#start(this.#address)
  }

  /** Ends the service. What it had answered stands without its labels, or, of an account that was left, not at all. */
  #end(left: boolean): void {
    this.#line?.end()
    this.#line = undefined
    this.#lists = new Map()
    const locked = refused('VaultLocked')
    for (const { reject } of this.#wishes.values()) reject(locked)
    this.#wishes.clear()
    for (const [name, watched] of this.#watched) {
      watched.asked += 1
      if (watched.lookers.size === 0) this.#watched.delete(name)
      else if (left || !this.isAnswered(name)) this.#show(watched, NOTHING)
      else this.#show(watched, { ...watched.answer, answer: withoutLabels(watched.answer.answer) })
    }
    this.#setState({ reading: undefined, slow: this.#state.slow })
  }

  #start(address: string): void {
    const hear = (message: ToPage) => {
      // A message of a service that was ended meanwhile tells nobody anything.
      if (this.#line === line) void this.#hear(message)
    }
    const line = this.#state.slow
      ? lineHere(hear)
      : lineToWorker(hear, () => {
          if (this.#line !== line) return
          this.#setState({ ...this.#state, slow: true })
          this.#begin(false)
        })
    this.#line = line
    const { fromCopy = false } = this.#vault.getSnapshot()
    line.post({ do: 'open', address, unlocked: this.#unlocked, fromCopy })
    this.#renewAll()
  }

  async #hear(message: ToPage): Promise<void> {
    const line = this.#line
    switch (message.tell) {
      case 'answer':
        this.#wishes.get(message.id)?.resolve(message.answer)
        this.#wishes.delete(message.id)
        break
      case 'refusal': {
        const { code, message: said, details } = message.refusal
        this.#wishes.get(message.id)?.reject(new VaultError(code, said, details))
        this.#wishes.delete(message.id)
        break
      }
      case 'reading':
        this.#setState({ ...this.#state, reading: message })
        break
      case 'changed':
        if (this.#state.reading) this.#setState({ ...this.#state, reading: undefined })
        this.#renewAll()
        break
      case 'commands':
        line?.post({ do: 'notes', commands: message.commands.map((text) => [text, commandWords(text)]) })
        break
      case 'open':
        line?.post({ do: 'help', id: message.id, help: await this.#opened(message.labels) })
        break
      case 'complete':
        line?.post({ do: 'help', id: message.id, help: await this.#completed(message.records) })
        break
    }
  }

  async #opened(labels: readonly SealedLabel[]): Promise<readonly unknown[]> {
    // What fails is raised by the vault; the tokens are then listed without their labels.
    return await this.#vault.tokens.openLabels(labels).catch(() => [])
  }

  async #completed(records: readonly TokenRecord[]): Promise<readonly unknown[]> {
    return await Promise.all(
      records.map((record) => this.#vault.tokens.complete(record).catch(() => undefined)),
    )
  }

  #renewAll(): void {
    for (const [name, watched] of this.#watched) {
      if (watched.lookers.size > 0) this.#renew(watched)
      else this.#watched.delete(name)
    }
  }

  /** Asks for an answer anew; the one that is shown stands meanwhile. */
  #renew(watched: WatchedAnswer): void {
    watched.asked += 1
    const { asked } = watched
    if (!this.#line) return
    this.ask(watched.question(Date.now())).then(
      (answer) => asked === watched.asked && this.#show(watched, { answer, failure: undefined }),
      (error: unknown) => {
        if (asked !== watched.asked) return
        this.#show(watched, { ...watched.answer, failure: refusalOf(error) })
      },
    )
  }

  #show(watched: WatchedAnswer, answer: LiveAnswer): void {
    watched.answer = answer
    for (const looker of [...watched.lookers]) looker()
  }

  #tidy(): void {
    const unused = [...this.#watched].filter(([, { lookers }]) => lookers.size === 0)
    for (const [name] of unused.slice(0, Math.max(0, unused.length - UNUSED))) this.#watched.delete(name)
    if (unused.length < this.#watched.size) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #setState(state: TokenClientState): void {
    this.#state = state
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** An answer without what is sealed. Answers have labels in their tokens, and words of the vault in their entries. */
function withoutLabels(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutLabels)
  if (typeof answer !== 'object' || answer === null) return answer
  const { label: _, entry, ...rest } = answer as Partial<ListedToken> & { entry?: unknown }
  const kept = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'tokens' || key === 'token' || key === 'items' ? withoutLabels(value) : value,
  ])
  return { ...Object.fromEntries(kept), ...(entry !== undefined && { entry: undefined }) }
}

function lineToWorker(hear: (message: ToPage) => void, fail: () => void): Line {
  let worker: Worker
  try {
    worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'tokens' })
  } catch {
    // Not within the call: whoever starts it has to know it first.
    queueMicrotask(fail)
    return { post: () => undefined, end: () => undefined }
  }
  worker.onmessage = ({ data }: MessageEvent<ToPage>) => hear(data)
  worker.onerror = (event) => {
    event.preventDefault()
    fail()
  }
  return {
    post: (message) => worker.postMessage(message),
    end: () => {
      worker.onmessage = null
      worker.onerror = null
      worker.terminate()
    },
  }
}

function lineHere(hear: (message: ToPage) => void): Line {
  const service = import('./token-service.ts').then(({ TokenService }) => new TokenService(hear))
  const refuse = (message: ToService, error: unknown) => {
    if (message.do === 'answer') hear({ tell: 'refusal', id: message.id, refusal: sentRefusal(error) })
  }
  return {
    post: (message) => {
      service.then(
        (it) => it.hear(message),
        (error: unknown) => refuse(message, error),
      )
    },
    end: () => {
      service.then(
        (it) => it.end(),
        () => undefined,
      )
    },
  }
}

let client: TokenClient | undefined

/** The client of this page; it begins with the first call. */
export function tokenClient(): TokenClient {
  client ??= new TokenClient(clientVault())
  return client
}
