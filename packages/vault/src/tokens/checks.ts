import type { CallOptions } from '../enclave/plugin.ts'
import type { InspectTokenResult, VerifyTokenRequest, VerifyTokenResult } from '../enclave/protocol.ts'
import type {
  EvaluatePolicyRequest,
  EvaluatePolicyResult,
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationResult,
} from '../enclave/validation.ts'
import type { VaultContext } from '../session/context.ts'

/** Checks tokens from anyone. Needs no account. */
export class Checks {
  readonly #context: VaultContext

  constructor(context: VaultContext) {
    this.#context = context
  }

  /** Decodes every token in a text. @throws VaultError OPERATION_FAILED, the token error's name in `details` */
  async inspect(text: string, options?: CallOptions): Promise<InspectTokenResult> {
    return await this.#context.client.inspectToken(text, options)
  }

  /** Checks a token's whole chain; an invalid one is a result. @throws VaultError OPERATION_FAILED */
  async verify(request: VerifyTokenRequest, options?: CallOptions): Promise<VerifyTokenResult> {
    return await this.#context.client.verifyToken(request, options)
  }

  /** Checks an invocation and its proofs; an invalid one is a result. @throws VaultError OPERATION_FAILED */
  async validate(request: ValidateInvocationRequest, options?: CallOptions): Promise<ValidationResult> {
    return await this.#context.client.validateInvocation(request, options)
  }

  /** Checks many invocations, one result each, in order. @throws VaultError OPERATION_FAILED */
  async validateBatch(request: ValidateBatchRequest, options?: CallOptions): Promise<ValidateBatchResult> {
    return await this.#context.client.validateBatch(request, options)
  }

  /** Whether policies allow a call, and why. @throws VaultError OPERATION_FAILED */
  async evaluatePolicy(request: EvaluatePolicyRequest, options?: CallOptions): Promise<EvaluatePolicyResult> {
    return await this.#context.client.evaluatePolicy(request, options)
  }
}
