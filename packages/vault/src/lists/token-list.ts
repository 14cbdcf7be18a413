import { toKeyVaultError, type VaultError } from '../base/errors.ts'
import type { KeyVault } from '../key-vault.ts'
import type { StoredToken } from '../tokens/tokens.ts'

/** The stored tokens at one moment: the same reference until something changes. */
export interface TokenListSnapshot {
  /** True until the tokens of the account at hand have been read once. */
  readonly loading: boolean
  readonly tokens: readonly StoredToken[]
  /** Why they could not be read; `tokens` are then the last that could. */
  readonly error?: VaultError
}

const LOADING: TokenListSnapshot = { loading: true, tokens: [] }
const NONE: TokenListSnapshot = { loading: false, tokens: [] }

/**
 * The stored tokens as a store for `useSyncExternalStore`: read when someone subscribes, and again when they change in
 * any tab, when another account is opened, and when labels appear or go.
 */
export class TokenList {
  readonly #vault: KeyVault
  readonly #listeners = new Set<() => void>()
  #snapshot = LOADING
  #shown = ''
  #unsubscribe: (() => void) | undefined

  constructor(vault: KeyVault) {
    this.#vault = vault
  }

  readonly getSnapshot = (): TokenListSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#unsubscribe ??= this.#vault.subscribe(() => this.#follow())
    this.#follow()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
      this.#shown = ''
    }
  }

  #follow(): void {
    const { phase, address, tokensVersion } = this.#vault.getSnapshot()
    const wanted = `${phase} ${address} ${tokensVersion}`
    if (wanted === this.#shown) return
    this.#shown = wanted
    const isOpening = phase === 'uninitialized' || phase === 'loading'
    if (isOpening || address === undefined) {
      this.#show(isOpening ? LOADING : NONE)
      return
    }
    if (phase !== 'unlocked') this.#forgetLabels()
    this.#vault.tokens.list().then(
      (tokens) => wanted === this.#shown && this.#show({ loading: false, tokens }),
      (error: unknown) => {
        if (wanted !== this.#shown) return
        this.#show({ loading: false, tokens: this.#snapshot.tokens, error: toKeyVaultError(error) })
      },
    )
  }

  /** What is sealed is gone the moment that the vault is locked, and not only once the tokens were read again. */
  #forgetLabels(): void {
    if (!this.#snapshot.tokens.some(({ label }) => label !== undefined)) return
    const tokens = this.#snapshot.tokens.map(({ label: _, ...token }) => token)
    this.#show({ ...this.#snapshot, tokens })
  }

  #show(snapshot: TokenListSnapshot): void {
    if (snapshot === this.#snapshot) return
    this.#snapshot = Object.freeze(snapshot)
    for (const listener of [...this.#listeners]) listener()
  }
}
