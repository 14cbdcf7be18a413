import type { TokenRecord, TokenSource } from '@keyhole/vault/token-reader'
import type { Row, TokenIndex } from './token-index.ts'
import type { ToPage } from './token-messages.ts'

/** What the page's vault does for the token service, which has no key. */
export class PageHelp {
  readonly #tell: (message: ToPage) => void
  readonly #waiting = new Map<number, (help: readonly unknown[]) => void>()
  #asked = 0

  constructor(tell: (message: ToPage) => void) {
    this.#tell = tell
  }

  /** Asks the page. @returns its answer, in the order of what was asked */
  ask(message: (id: number) => ToPage): Promise<readonly unknown[]> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#tell(message(id))
    })
  }

  /** Takes the page's answer. */
  hear(id: number, help: readonly unknown[]): void {
    this.#waiting.get(id)?.(help)
    this.#waiting.delete(id)
  }

  /** Waits for no answer any more. */
  forget(): void {
    this.#waiting.clear()
  }

  /** Older records are incomplete. The page's vault reads the rest from the tokens. */
  async complete(records: readonly TokenRecord[]): Promise<TokenRecord[]> {
    const lacking = records.filter(({ cid, command, policy, subject, audienceDid }) =>
      [cid, command, policy, subject, audienceDid].includes(undefined),
    )
    if (lacking.length === 0) return [...records]
    const whole = new Map<string, TokenRecord>()
    const help = await this.ask((id) => ({ tell: 'complete', id, records: lacking }))
    lacking.forEach((record, at) => {
      const facts = help[at]
      if (typeof facts === 'object' && facts !== null) whole.set(record.id, { ...record, ...facts })
    })
    return records.flatMap((record) => (lacking.includes(record) ? (whole.get(record.id) ?? []) : record))
  }

  /** Opens labels of an index. */
  async openLabels(
    index: TokenIndex,
    labels: readonly { readonly id: string; readonly sealedLabel: string }[],
  ): Promise<void> {
    if (labels.length === 0) return
    const help = await this.ask((id) => ({ tell: 'open', id, labels }))
    index.label(
      labels.map(({ id }, at) => {
        const label = help[at]
        return { id, label: typeof label === 'string' ? label : undefined }
      }),
    )
  }

  /** Reads what rows of an index came from. */
  async readAbove(index: TokenIndex, reader: TokenSource, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    const records = await reader.read(rows.map(({ id }) => id))
    const help = await this.ask((id) => ({ tell: 'chains', id, tokens: records.map(({ token }) => token) }))
    const chains = new Map(records.map(({ id }, at) => [id, help[at]]))
    index.readAbove(
      rows.map(({ id, cid }) => {
        const chain = chains.get(id)
        // One that can't be read is not asked for again.
        return { id, above: Array.isArray(chain) ? chain.filter((each) => each !== cid) : [] }
      }),
    )
  }
}
