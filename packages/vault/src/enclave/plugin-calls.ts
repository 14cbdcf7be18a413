import type { Enclave, EnclaveAnswer, EnclaveExport, EnclaveInput } from '@keyhole/enclave'
import { toBase64Url } from '../base/base64url.ts'
import { takeBytes } from '../base/bytes.ts'
import { VaultEvents } from '../base/events.ts'
import type * as invocation from './invocation.ts'
import { type CallOptions, callPlugin } from './plugin.ts'
import type * as protocol from './protocol.ts'
import type * as validation from './validation.ts'

/** The plugin's functions, each with its error text. */
export abstract class PluginCalls extends VaultEvents {
  /** The plugin. @throws VaultError NOT_INITIALIZED */
  abstract get enclave(): Enclave

  /**
   * Issues a delegation.
   * @throws VaultError OPERATION_FAILED 'Failed to create origin token', or the plugin's refusal
   */
  newOriginToken(request: protocol.OriginTokenRequest, options?: CallOptions): Promise<protocol.TokenResult> {
    return this.#call('new_origin_token', request, 'Failed to create origin token', options)
  }

  /**
   * Narrows a token. @throws VaultError OPERATION_FAILED 'Failed to create attenuated token', or the plugin's refusal
   */
  newAttenuatedToken(
    request: protocol.AttenuatedTokenRequest,
    options?: CallOptions,
  ): Promise<protocol.AttenuatedTokenResult> {
    const failure = 'Failed to create attenuated token'
    return this.#call('new_attenuated_token', request, failure, options)
  }

  /**
   * Signs bytes with a prefix that no token has. @throws VaultError OPERATION_FAILED 'Failed to sign data', `NotBytes`,
   * or the plugin's refusal
   */
  async signData(request: protocol.SignDataRequest, options?: CallOptions): Promise<protocol.SignDataResult> {
    const input = { ...request, data: toBase64Url(takeBytes(request.data, 'data')) }
    return await this.#call('sign_data', input, 'Failed to sign data', options)
  }

  /**
   * Checks a signature of `signData`.
   * @throws VaultError OPERATION_FAILED 'Failed to verify data', `NotBytes`, or the plugin's refusal
   */
  async verifyData(
    request: protocol.VerifyDataRequest,
    options?: CallOptions,
  ): Promise<protocol.VerifyDataResult> {
    const data = toBase64Url(takeBytes(request.data, 'data'))
    const input = { ...request, data, signature: [...takeBytes(request.signature, 'signature')] }
    return await this.#call('verify_data', input, 'Failed to verify data', options)
  }

  /**
   * The account's DID and address.
   * @throws VaultError OPERATION_FAILED 'Failed to get issuer DID', or the plugin's refusal
   */
  getIssuerDid(options?: CallOptions): Promise<protocol.IssuerDidResult> {
    return this.#call('get_issuer_did', {}, 'Failed to get issuer DID', options)
  }

  /** Decodes every token in a text; checks only each token's own signature. @throws VaultError OPERATION_FAILED */
  inspectToken(token: string, options?: CallOptions): Promise<protocol.InspectTokenResult> {
    const failure = 'Failed to inspect token'
    return this.#call('inspect_token', { token }, failure, options)
  }

  /** Checks a token's whole chain. An invalid chain is a result, not an error. @throws VaultError OPERATION_FAILED */
  verifyToken(
    request: protocol.VerifyTokenRequest,
    options?: CallOptions,
  ): Promise<protocol.VerifyTokenResult> {
    return this.#call('verify_token', request, 'Failed to verify token', options)
  }

  /**
   * Checks an invocation and its proofs. An invalid one is a result, not an error. @throws VaultError OPERATION_FAILED
   */
  validateInvocation(
    request: validation.ValidateInvocationRequest,
    options?: CallOptions,
  ): Promise<validation.ValidationResult> {
    const failure = 'Failed to validate the invocation'
    return this.#call('validate_invocation', request, failure, options)
  }

  /** Checks many invocations; one result each, in order. @throws VaultError OPERATION_FAILED */
  validateBatch(
    request: validation.ValidateBatchRequest,
    options?: CallOptions,
  ): Promise<validation.ValidateBatchResult> {
    const failure = 'Failed to validate the invocations'
    return this.#call('validate_batch', request, failure, options)
  }

  /**
   * Tests a call against policies. One that isn't allowed is a result, not an error. @throws VaultError
   * OPERATION_FAILED
   */
  evaluatePolicy(
    request: validation.EvaluatePolicyRequest,
    options?: CallOptions,
  ): Promise<validation.EvaluatePolicyResult> {
    const failure = 'Failed to evaluate the policy'
    return this.#call('evaluate_policy', request, failure, options)
  }

  /** Signs an invocation. @throws VaultError OPERATION_FAILED 'Failed to invoke', or the plugin's refusal */
  invoke(request: invocation.InvokeRequest, options?: CallOptions): Promise<invocation.InvokeResult> {
    return this.#call('invoke', request, 'Failed to invoke', options)
  }

  /** Signs a revocation. @throws VaultError OPERATION_FAILED 'Failed to revoke', or the plugin's refusal */
  revoke(request: invocation.RevokeRequest, options?: CallOptions): Promise<invocation.SignedResult> {
    return this.#call('revoke', request, 'Failed to revoke', options)
  }

  /** Signs a receipt. @throws VaultError OPERATION_FAILED 'Failed to issue the receipt', or the plugin's refusal */
  issueReceipt(
    request: invocation.IssueReceiptRequest,
    options?: CallOptions,
  ): Promise<invocation.SignedResult> {
    const failure = 'Failed to issue the receipt'
    return this.#call('issue_receipt', request, failure, options)
  }

  async #call<Name extends EnclaveExport>(
    name: Name,
    input: EnclaveInput<Name>,
    failure: string,
    options?: CallOptions,
  ): Promise<EnclaveAnswer<Name>> {
    return await callPlugin(this.enclave, name, input, failure, options)
  }
}
