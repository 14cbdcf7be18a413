import { refused, TokenReader, type TokenRecord, type TokenSource } from '@keyhole/vault/token-reader'
import { ClosingSource } from './ending/closing-source.ts'
import { firstPage, listPage, type PageParts } from './list-page.ts'
import { foundToken, listedTokens } from './listed-tokens.ts'
import { Matcher, type Matches } from './matcher.ts'
import { PageHelp } from './page-help.ts'
import type { SearchModule } from './search-module.ts'
import { type Row, TokenIndex } from './token-index.ts'
import {
  type Answers,
  type Finds,
  type FoundItem,
  type ListedTokens,
  type PaymentToken,
  type PaymentWords,
  type Question,
  type SearchEntry,
  sentRefusal,
  type ToPage,
  type ToService,
} from './token-messages.ts'

/** Records read at a time. Whatever else the page reads or writes waits for one such reading, an unlock too. */
const CHUNK = 1_000
/** Records added to the index at a time: the module lays out texts in blocks of as many. */
const BLOCK = 4_096
/** Labels opened at a time: as many as the plugin takes in one call. */
const LABELS = 500
/** Tokens at a time whose chain is read. */
const CHAINS = 200
/** Payments and mandates read at a time. */
const PAYMENTS = 200
/** The shortest time between two updates of lists while labels are opened or chains are read, in milliseconds. */
const TELL_EVERY = 400

/**
 * Keeps one account's stored tokens for the lists and search of one tab. It has no key: the page's unlocked vault opens the labels, and
 * everything it knows is gone when it ends.
 */
export class TokenService {
  readonly #tell: (message: ToPage) => void
  #index: TokenIndex
  #matcher: Matcher
  readonly #entries = new Map<string, readonly SearchEntry[]>()
  readonly #help: PageHelp
  readonly #newModule: () => SearchModule
  readonly #open: typeof TokenReader.open
  /** Whether all tokens were read. */
  #isRead = false
  /** First pages that were answered before everything was read, until something changes. */
  readonly #firstPages = new Map<string, Promise<ListedTokens | undefined>>()
  /** What they are read into. */
  readonly #firstModules = new Set<SearchModule>()
  /** How many commands the page has been told. */
  #told = 0
  #entriesChanged = false
  #reader: TokenSource | undefined
  #unlocked = false
  #labelling = false
  #chaining = false
  #paying = false
  #payments: Promise<void> | undefined
  /** The work in progress. The next task runs after it. */
  #work: Promise<void> = Promise.resolve()
  #version = 0
  #isOver = false
  #last: { readonly key: string; readonly matches: Matches } | undefined

  /** @param newModule makes one with an empty index @param open opens an account's stored tokens */
  constructor(tell: (message: ToPage) => void, newModule: () => SearchModule, open = TokenReader.open) {
    this.#tell = (message) => {
      if (!this.#isOver) tell(message)
    }
    this.#help = new PageHelp(this.#tell)
    this.#newModule = newModule
    this.#open = open
    this.#index = new TokenIndex(newModule())
    this.#matcher = new Matcher(this.#index)
  }

  hear(message: ToService): void {
    if (this.#isOver) return
    switch (message.do) {
      case 'open':
        this.#unlocked = message.unlocked
        this.#reader = new ClosingSource(this.#open(message.address, { fromCopy: message.fromCopy }))
        this.#queue(() => this.#readAll())
        break
      case 'follow':
        this.#queue(() => this.#follow())
        // First pages are read again now, everything else once all tokens are read.
        this.#firstPages.clear()
        if (!this.#isRead) this.#changed()
        break
      case 'unlocked':
        this.#unlocked = true
        this.#firstPages.clear()
        this.#index.unpayMandates()
        void this.#openLabels()
        break
      case 'help':
        this.#help.hear(message.id, message.help)
        break
      case 'entries':
        this.#entries.set(message.group, [
          ...(this.#entries.get(message.group) ?? []).slice(0, message.at),
          ...message.entries,
        ])
        if (!message.isLast) break
        this.#entriesChanged = true
        this.#changed()
        break
      case 'notes':
        for (const [text, note] of message.commands ?? []) this.#index.commands.note(text, note)
        if (message.people) this.#index.namePeople(message.people)
        this.#changed()
        break
      case 'answer':
        void this.#answer(message.id, message.question)
        break
    }
  }

  /** Drops everything it knows, and tells and hears nothing any more. Settles once nothing is read any more. */
  async end(): Promise<void> {
    this.#isOver = true
    for (const module of [this.#index.module, ...this.#firstModules]) module.wipe()
    this.#firstModules.clear()
    this.#firstPages.clear()
    this.#index = new TokenIndex(this.#newModule())
    this.#matcher = new Matcher(this.#index)
    this.#entries.clear()
    this.#last = undefined
    this.#help.forget()
    await this.#reader?.close()
  }

  /** Runs after the work in progress. A failure is reported to the next questions until something succeeds. */
  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.catch(() => undefined).then(work)
    this.#work.then(
      () => this.#changed(),
      () => this.#changed(),
    )
  }

  async #readAll(): Promise<void> {
    const reader = this.#opened()
    await this.#firstPagesRead()
    let block: TokenRecord[] = []
    for await (const chunk of reader.chunks(CHUNK)) {
      await this.#firstPagesRead()
      block.push(...chunk)
      if (block.length < BLOCK) continue
      this.#index.add(await this.#help.complete(block))
      block = []
    }
    this.#index.add(await this.#help.complete(block))
    await this.#followedAll()
  }

  /** What a person waits for comes before the rest of the tokens. */
  async #firstPagesRead(): Promise<void> {
    await Promise.allSettled(this.#firstPages.values())
  }

  /** Updates the rows from storage: reads new ones and drops deleted ones. */
  async #follow(): Promise<void> {
    const reader = this.#opened()
    const ids = new Set(await reader.ids())
    this.#index.remove(this.#index.missing(ids))
    const fresh = [...ids].filter((id) => !this.#index.has(id))
    for (let at = 0; at < fresh.length; at += CHUNK)
      this.#index.add(await this.#help.complete(await reader.read(fresh.slice(at, at + CHUNK))))
    await this.#followedAll()
  }

  async #followedAll(): Promise<void> {
    this.#tellCommands()
    await this.#firstChains()
    await this.#firstLabels()
    this.#isRead = true
    this.#firstPages.clear()
  }

  #opened(): TokenSource {
    if (!this.#reader) throw refused('NoVault')
    return this.#reader
  }

  /** What a person sees first gets its label at once, and the rest follows. */
  async #firstLabels(): Promise<void> {
    if (!this.#unlocked || !(await this.#openSome())) return
    void this.#openLabels()
  }

  async #openLabels(): Promise<void> {
    if (this.#labelling) return
    this.#labelling = true
    await this.#repeat(() => this.#openSome())
    this.#labelling = false
  }

  /** A few grants below a revoked one are known to have ended before anything is shown, and the rest follows. */
  async #firstChains(): Promise<void> {
    if (this.#chaining || !(await this.#readSome())) return
    this.#chaining = true
    void this.#repeat(() => this.#readSome()).finally(() => {
      this.#chaining = false
    })
  }

  /** What the first payments and mandates are found by is read before anything is looked for, and the rest follows. */
  async #firstPayments(): Promise<void> {
    if (this.#paying) return
    this.#payments ??= this.#readPayments()
      .then((isMore) => {
        if (!isMore) return
        this.#paying = true
        void this.#repeat(() => this.#readPayments()).finally(() => {
          this.#paying = false
        })
      })
      .finally(() => {
        this.#payments = undefined
      })
    await this.#payments
  }

  /** Does a work until there is none left, and updates the lists now and then. */
  async #repeat(work: () => Promise<boolean>): Promise<void> {
    let told = 0
    while (await work()) {
      if (Date.now() - told < TELL_EVERY) continue
      told = Date.now()
      this.#changed()
    }
    this.#changed()
  }

  /** Reads what the next tokens came from. @returns whether there may be more */
  async #readSome(): Promise<boolean> {
    const rows = this.#index.unread(CHAINS, Date.now())
    if (rows.length === 0) return false
    await this.#help.readAbove(this.#index, this.#opened(), rows)
    return rows.length === CHAINS
  }

  /** Reads what the next payments and mandates are found by. @returns whether there may be more */
  async #readPayments(): Promise<boolean> {
    const rows = this.#index.unpaid(PAYMENTS)
    if (rows.length === 0) return false
    const wasUnlocked = this.#unlocked
    const reader = this.#opened()
    const records = new Map(
      (await reader.read(rows.map(({ id }) => id))).map((record) => [record.id, record]),
    )
    const tokens = rows.flatMap((row): (PaymentToken & { readonly id: string })[] => {
      const { id, cid, type } = row
      const record = records.get(id)
      return record ? [{ id, cid, type, policy: this.#index.policy(row), token: record.token }] : []
    })
    const help = await this.#help.ask((id) => ({ tell: 'payments', id, tokens }))
    // The page couldn't read them now. The next search asks again.
    if (help.length < tokens.length) return false
    const found = new Map(tokens.map(({ id }, at) => [id, help[at]]))
    // The page is our own code, and answers each token with what `PaymentWords` says.
    this.#index.pay(rows.map(({ id }) => ({ id, payment: found.get(id) as PaymentWords | undefined })))
    // Unlocked meanwhile: a mandate was read without its budget.
    if (this.#unlocked && !wasUnlocked) this.#index.unpayMandates()
    this.#last = undefined
    return rows.length === PAYMENTS
  }

  /** Opens the next labels. @returns whether there were any */
  async #openSome(): Promise<boolean> {
    const labels = this.#index.sealed(LABELS)
    if (labels.length === 0) return false
    await this.#help.openLabels(this.#index, labels)
    return true
  }

  #tellCommands(): void {
    const commands = this.#index.commands.texts.slice(this.#told)
    this.#told += commands.length
    // Words for a few hundred commands help. Beyond that, no one has any.
    if (commands.length > 0 && this.#told <= 1_000) this.#tell({ tell: 'commands', commands })
  }

  #changed(): void {
    this.#version += 1
    this.#last = undefined
    this.#tell({ tell: 'changed' })
  }

  async #answer(id: number, question: Question): Promise<void> {
    try {
      const first = await this.#first(question)
      if (first) return this.#tell({ tell: 'answer', id, answer: first })
      await this.#work
      this.#tell({ tell: 'answer', id, answer: await this.#answerTo(question) })
    } catch (error) {
      this.#tell({ tell: 'refusal', id, refusal: sentRefusal(error) })
    }
  }

  /** The first page of a list, while not all tokens are read. Undefined if only reading them tells. */
  async #first(question: Question): Promise<ListedTokens | undefined> {
    if (this.#isRead || question.ask !== 'page' || !question.query.early) return undefined
    const key = JSON.stringify(question.query)
    const coming = this.#firstPages.get(key) ?? this.#readFirst(question)
    this.#firstPages.set(key, coming)
    const first = await coming.catch(() => undefined)
    // Something changed in the meantime, or everything was read.
    return this.#firstPages.get(key) === coming ? first : undefined
  }

  async #readFirst({ query, now }: Question & { readonly ask: 'page' }): Promise<ListedTokens | undefined> {
    const module = this.#newModule()
    this.#firstModules.add(module)
    try {
      return await firstPage(module, this.#pageParts(), query, now)
    } finally {
      this.#firstModules.delete(module)
      module.wipe()
    }
  }

  #pageParts(): PageParts {
    return { reader: this.#opened(), help: this.#help, isUnlocked: this.#unlocked }
  }

  async #answerTo(question: Question): Promise<Answers[keyof Answers]> {
    switch (question.ask) {
      case 'page':
        return await listPage(this.#index, this.#pageParts(), question.query, question.now)
      case 'token': {
        const row = this.#index.byCid(question.cid)
        const [token] = row ? await listedTokens(this.#index, this.#opened(), [row]) : []
        return { token }
      }
      case 'revoked':
        return question.cids.filter((cid) => this.#index.isRevoked(cid))
      case 'off':
        return question.cids.filter((cid) => {
          const row = this.#index.byCid(cid)
          return row !== undefined && this.#index.isOff(row)
        })
      case 'active':
        return question.cids.filter((cid) => {
          const row = this.#index.byCid(cid)
          return row !== undefined && this.#index.isActive(row, question.now)
        })
      case 'continuing':
        return await this.#texts(this.#index.continuing(question.parents))
      case 'mandateNames':
        return { tokens: this.#index.mandateNames() }
      case 'names':
        return { tokens: this.#index.names(question.cids) }
      case 'givenTo':
        return this.#index.givenTo(question.commands)
      case 'counts':
        return this.#index.totals(question.now)
      case 'find':
        if (question.query.words.length > 0) await this.#firstPayments()
        return this.find(question)
    }
  }

  /** The matches for a query from a position on. */
  find({ query, from, count, now }: Extract<Question, { ask: 'find' }>): Finds {
    if (this.#entriesChanged) this.#matcher.entries = [...this.#entries.values()].flat()
    this.#entriesChanged = false
    // Scrolling asks for the next page of the same query.
    const key = JSON.stringify([this.#version, query])
    if (this.#last?.key !== key) this.#last = { key, matches: this.#matcher.matches(query, now) }
    const { matches } = this.#last
    const { entries } = matches
    const items: FoundItem[] = entries.slice(from, from + count).map((entry) => ({ entry }))
    const start = Math.max(0, from - entries.length)
    const places = items.length < count ? [...matches.rows(start, count - items.length)] : []
    const tokens = places.flatMap((at) => {
      const row = this.#index.rows[at]
      return row ? [{ token: foundToken(this.#index, row) }] : []
    })
    return {
      items: [...items, ...tokens],
      total: entries.length + matches.total,
      held: this.#matcher.entries.length + this.#index.size,
    }
  }

  /** The texts of these rows' tokens, without those that are gone by now. */
  async #texts(rows: readonly Row[]): Promise<string[]> {
    const reader = this.#opened()
    const texts: string[] = []
    for (let at = 0; at < rows.length; at += CHUNK) {
      const records = await reader.read(rows.slice(at, at + CHUNK).map(({ id }) => id))
      texts.push(...records.map(({ token }) => token))
    }
    return texts
  }
}
