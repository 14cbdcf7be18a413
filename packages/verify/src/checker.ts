// What checks tokens: an enclave in a worker, or one in this thread that answers directly.
import { type EnclaveAnswer, type EnclaveInput, isRefusal, type Refusal } from '@keyhole/enclave'
import { VerifyError } from './errors.ts'

/** The functions in use. */
type Checks = 'validate_invocation' | 'validate_batch' | 'inspect_token'

/**
 * An enclave without keys, or the `createVerifier({ module })` of `@keyhole/enclave`. Both kinds of `call` are
 * accepted.
 */
export interface Checker {
  call<Name extends Checks>(
    name: Name,
    input: EnclaveInput<Name>,
  ): EnclaveAnswer<Name> | Refusal | Promise<EnclaveAnswer<Name> | Refusal>
}

/** Asks a checker. @throws VerifyError CHECK_FAILED if it can't answer */
export async function ask<Name extends Checks>(
  checker: Checker,
  name: Name,
  input: EnclaveInput<Name>,
): Promise<EnclaveAnswer<Name> | Refusal> {
  try {
    return await checker.call(name, input)
  } catch (cause) {
    throw new VerifyError('CHECK_FAILED', 'The enclave failed to check the token. Try again later.', {
      cause,
    })
  }
}

/** A token in a text. At most its signature has been checked. */
export interface ReadToken {
  readonly cid: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The tokens in a text, unchecked; empty if it can't be read. @throws VerifyError CHECK_FAILED */
export async function tokensOf(checker: Checker, token: string): Promise<readonly ReadToken[]> {
  const inspected = await ask(checker, 'inspect_token', { token })
  if (isRefusal(inspected)) return []
  return inspected.tokens.map(({ cid, kind, payload }) => ({ cid, kind, payload: Object(payload) }))
}
