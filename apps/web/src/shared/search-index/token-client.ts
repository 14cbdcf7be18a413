import { type KeyVault, type SealedLabel, VaultError } from '@keyhole/vault'
import { refused, type TokenRecord } from '@keyhole/vault/token-reader'
import { i18n } from '@lingui/core'
import { scriptUrl } from '../browser/trusted-types.ts'
import { clientVault } from '../vault/vault.ts'
import { commandWords, givenWords } from '../words/command.ts'
import { hearAnswers, newAnswerBuffer } from './answer-buffer.ts'
import { endable } from './ending/endable.ts'
import { queueUntilLoaded } from './message-queue.ts'
import type { Place } from './token-answers.ts'
import type {
  Answers,
  Notes,
  PaymentToken,
  Question,
  SearchEntry,
  ToPage,
  ToService,
} from './token-messages.ts'
import workerUrl from './token-worker.ts?worker&url'

/** All words that are shown for a command. */
function foundBy(command: string): string {
  return [...new Set([commandWords(command), givenWords(command)])].join(', ')
}

/** The connection to the token service: in a Worker or, if there can't be one, in this page. */
interface Line {
  post(message: ToService): void
  end(): void
}

export interface TokenClientState {
  /** Whether there is no Worker. Long lists then block the page. */
  readonly slow: boolean
}

/** A person's name. */
export interface PersonName {
  readonly name: string
}

interface Wish {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Someone who keeps answers of the service. */
interface Follower {
  /** Earlier answers may be out of date. */
  onChange(): void
  /** The vault was locked or unlocked, or a different account is open, or none: earlier answers must not show sealed data. */
  onMove(to: Place | undefined): void
}

/** Entries prepared in one go, which takes a few milliseconds. */
const SLICE = 250

/**
 * The page's connection to its token service. It follows the vault: another account or a lock ends the service, with everything it knew. It
 * keeps no answers itself; those who do can follow it.
 */
class TokenClient {
  readonly #vault: KeyVault
  readonly #wishes = new Map<number, Wish>()
  readonly #watchers = new Set<() => void>()
  readonly #followers = new Set<Follower>()
  /** Lists that are already prepared, until a lock. */
  #lists = new Map<string, readonly unknown[]>()
  /** The names by which people can be found, until a lock. */
  #names: ReadonlyMap<string, PersonName> = new Map()
  #state: TokenClientState = { slow: false }
  #line: Line | undefined
  #address: string | undefined
  #unlocked = false
  #version = -1
  #ids = 0

  constructor(vault: KeyVault) {
    this.#vault = vault
    vault.subscribe(() => this.#follow())
    // Prepared entries contain words, so a new language needs new ones.
    i18n.on('change', () => this.#beginAgain())
    // A worker that waits in WebKit's back/forward cache keeps its transaction, and all later pages wait for that (088).
    addEventListener('pagehide', () => this.#end())
    addEventListener('pageshow', ({ persisted }) => persisted && this.#beginAgain())
    this.#follow()
  }

  readonly getState = (): TokenClientState => this.#state

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  follow(follower: Follower): void {
    this.#followers.add(follower)
  }

  /** Asks once. Rejects if the tokens can't be read, or the vault is locked or closed before the answer. */
  async ask<A extends keyof Answers>(question: Question & { readonly ask: A }): Promise<Answers[A]> {
    const line = this.#line
    if (!line) throw refused('NoVault')
    this.#ids += 1
    const id = this.#ids
    const answer = new Promise<unknown>((resolve, reject) => this.#wishes.set(id, { resolve, reject }))
    line.post({ do: 'answer', id, question })
    // The service is our own code and answers each question with the type that `Answers` gives.
    return (await answer) as Answers[A]
  }

  /** Sets what can be found apart from tokens. Passing the same list again does nothing. */
  put<T>(group: string, list: readonly T[], toEntries: (list: readonly T[]) => readonly SearchEntry[]): void {
    if (!this.#line || this.#lists.get(group) === list) return
    this.#lists.set(group, list)
    void this.#putInSlices(group, list, toEntries)
  }

  /** Sets the names by which people can be found apart from their DIDs, replacing earlier ones. Passing the same names again does nothing. */
  name(names: ReadonlyMap<string, PersonName>): void {
    if (!this.#line || this.#names === names) return
    const before = this.#names
    this.#names = names
    const people = namesToNote(names, before)
    if (people.length > 0) this.#line.post({ do: 'notes', people })
  }

  /** Sends a short list at once, and a long one in small steps that leave time for the page. */
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
    const isOther = open !== this.#address
    const isLocking = this.#unlocked && !unlocked
    const isUnlocking = unlocked && !this.#unlocked
    if (isOther || isLocking || isUnlocking) {
      const to = open === undefined ? undefined : { address: open, isUnlocked: unlocked }
      for (const follower of this.#followers) follower.onMove(to)
    }
    this.#unlocked = unlocked
    if (isOther || isLocking) {
      this.#address = open
      this.#version = tokensVersion
      this.#begin()
      return
    }
    if (isUnlocking) this.#line?.post({ do: 'unlocked' })
    if (tokensVersion === this.#version) return
    this.#version = tokensVersion
    this.#line?.post({ do: 'follow' })
  }

  /** Ends the service, and starts a new one if an account is open. */
  #begin(): void {
    this.#end()
    if (this.#address !== undefined) this.#start(this.#address)
  }

  /** The same, but requests in progress go to the new service. */
  #beginAgain(): void {
    this.#begin()
    this.#tellChange()
  }

  #end(): void {
    this.#line?.end()
    this.#line = undefined
    this.#lists = new Map()
    this.#names = new Map()
    const locked = refused('VaultLocked')
    for (const { reject } of this.#wishes.values()) reject(locked)
    this.#wishes.clear()
  }

  #start(address: string): void {
    const hear = (message: ToPage) => {
      // Ignore messages from a service that has ended.
      if (this.#line === line) void this.#hear(message)
    }
    const line = this.#state.slow
      ? lineHere(hear)
      : lineToWorker(hear, () => {
          if (this.#line !== line) return
          this.#setState({ slow: true })
          this.#beginAgain()
        })
    this.#line = line
    const { fromCopy = false } = this.#vault.getSnapshot()
    line.post({ do: 'open', address, unlocked: this.#unlocked, fromCopy })
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
      case 'changed':
        this.#tellChange()
        break
      case 'commands':
        line?.post({ do: 'notes', commands: message.commands.map((text) => [text, foundBy(text)]) })
        break
      case 'open':
        line?.post({ do: 'help', id: message.id, help: await this.#opened(message.labels) })
        break
      case 'complete':
        line?.post({ do: 'help', id: message.id, help: await this.#completed(message.records) })
        break
      case 'chains':
        line?.post({ do: 'help', id: message.id, help: await this.#chains(message.tokens) })
        break
      case 'payments':
        line?.post({ do: 'help', id: message.id, help: await this.#payments(message.tokens).catch(() => []) })
        break
    }
  }

  async #payments(tokens: readonly PaymentToken[]): Promise<readonly unknown[]> {
    // Only a search needs it.
    const { paymentWords } = await import('./payment-words.ts')
    return await paymentWords(this.#vault, tokens)
  }

  async #opened(labels: readonly SealedLabel[]): Promise<readonly unknown[]> {
    // The vault reports the error. The tokens are then listed without labels.
    return await this.#vault.tokens.openLabels(labels).catch(() => [])
  }

  async #completed(records: readonly TokenRecord[]): Promise<readonly unknown[]> {
    return await Promise.all(
      records.map((record) => this.#vault.tokens.complete(record).catch(() => undefined)),
    )
  }

  /** The CIDs in each token, its own among them. */
  async #chains(tokens: readonly string[]): Promise<readonly unknown[]> {
    return await Promise.all(
      tokens.map((token) =>
        this.#vault.tokens.inspect(token).then(
          (found) => found.tokens.map(({ cid }) => cid),
          () => undefined,
        ),
      ),
    )
  }

  #tellChange(): void {
    for (const follower of this.#followers) follower.onChange()
  }

  #setState(state: TokenClientState): void {
    this.#state = state
    for (const watcher of [...this.#watchers]) watcher()
  }
}

function namesToNote(names: ReadonlyMap<string, PersonName>, before: ReadonlyMap<string, PersonName>): Notes {
  const said = [...names].filter(([did, { name }]) => before.get(did)?.name !== name)
  const gone = [...before.keys()].filter((did) => !names.has(did))
  return [...said.map(([did, { name }]) => [did, name] as const), ...gone.map((did) => [did, ''] as const)]
}

function lineToWorker(hear: (message: ToPage) => void, fail: () => void): Line {
  let worker: Worker
  try {
    worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'tokens' })
  } catch {
    // Not during this call: the caller must get the line first.
    queueMicrotask(fail)
    return { post: () => undefined, end: () => undefined }
  }
  const endWorker = endable(worker)
  worker.onmessage = ({ data }: MessageEvent<ToPage>) => hear(data)
  const answers = newAnswerBuffer()
  const endAnswers = answers && hearAnswers(answers, (answer) => hear(answer as ToPage))
  if (answers) worker.postMessage({ do: 'share', answers })
  worker.onerror = (event) => {
    event.preventDefault()
    fail()
  }
  return {
    post: (message) => worker.postMessage(message),
    end: () => {
      worker.onmessage = null
      worker.onerror = null
      endAnswers?.()
      endWorker()
    },
  }
}

function lineHere(hear: (message: ToPage) => void): Line {
  const started = import('./start-service.ts').then(({ startService }) => startService(hear))
  const { hear: post, end } = queueUntilLoaded(started, hear)
  return { post, end: () => void end() }
}

let known: { readonly vault: KeyVault; readonly client: TokenClient } | undefined

/** The client of this page's vault. The first call starts it. */
export function tokenClient(): TokenClient {
  const vault = clientVault()
  if (known?.vault !== vault) known = { vault, client: new TokenClient(vault) }
  return known.client
}
