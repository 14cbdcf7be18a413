import {
  type AnyExport,
  type CallOptions,
  type CloseOptions,
  type Declared,
  declaredOf,
  type Enclave,
  type EnclaveChange,
  type EnclaveKind,
  TypedCalls,
} from '@keyhole/enclave'
import * as v from 'valibot'
import type { ForeignText, Screen } from './screen.ts'

/** Fields that contain invocations; the others contain delegations. */
const INVOCATIONS: ReadonlySet<string> = new Set(['invocation', 'invocations', 'request', 'revocations'])

const fields = v.record(v.string(), v.unknown())
const answerWithChain = v.looseObject({ status: v.looseObject({ chain_id: v.string() }) })

/**
 * The enclave with the keys, behind one without. Every call goes through here, and a stranger's text only reaches the
 * keys once the other enclave has read it. The plugin declares which calls and fields that concerns.
 */
export class ScreenedEnclave extends TypedCalls implements Enclave {
  readonly #enclave: Enclave
  readonly #screen: Screen
  /** The open account's network, learned from answers: an enclave without keys doesn't know it. */
  #chainId: string | undefined

  constructor(enclave: Enclave, screen: Screen) {
    super()
    this.#enclave = enclave
    this.#screen = screen
  }

  get account(): string | undefined {
    return this.#enclave.account
  }

  get kind(): EnclaveKind {
    return this.#enclave.kind
  }

  async callByName(name: AnyExport, input?: unknown, options?: CallOptions): Promise<unknown> {
    const declared = declaredOf(name)
    if (isForAnyone(declared)) return await this.#screen.call(name, this.#onChain(name, input), options)
    const texts = foreignTexts(declared.strangers ?? [], input)
    const refusal = texts.length > 0 ? await this.#screen.pass(texts, options?.signal) : undefined
    if (refusal) return refusal
    const answer = await this.#enclave.callByName(name, input, options)
    const told = v.safeParse(answerWithChain, answer)
    if (told.success) this.#chainId = told.output.status.chain_id
    return answer
  }

  adopt(account: string): Promise<void> {
    return this.#enclave.adopt(account)
  }

  subscribe(listener: (change: EnclaveChange) => void): () => void {
    return this.#enclave.subscribe(listener)
  }

  close(options?: CloseOptions): Promise<void> {
    return this.#enclave.close(options)
  }

  /** Addresses belong to the account's own network unless the caller names another. */
  #onChain(name: AnyExport, input: unknown): unknown {
    const given = v.safeParse(fields, input)
    if (name !== 'verify_token' || this.#chainId === undefined || !given.success) return input
    return { chain_id: this.#chainId, ...given.output }
  }
}

/** Whether a call needs nothing from the account. */
function isForAnyone({ keyless, holdsSecrets }: Declared): boolean {
  return keyless === true && holdsSecrets !== true
}

function foreignTexts(names: readonly string[], input: unknown): readonly ForeignText[] {
  const given = v.safeParse(fields, input)
  if (!given.success) return []
  const { leaf } = given.output
  return names.flatMap((name) => {
    const kind = INVOCATIONS.has(name) ? ('invocation' as const) : ('delegations' as const)
    return [given.output[name]]
      .flat()
      .filter((text) => typeof text === 'string')
      .map((text) => ({ text, kind, leaf: typeof leaf === 'string' ? leaf : undefined }))
  })
}
