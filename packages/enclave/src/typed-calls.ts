import type {
  CallArguments,
  CallOptions,
  EnclaveAnswer,
  EnclaveExport,
  EnclaveRefusalName,
  Refusal,
} from './types.ts'

/** Gives an enclave that calls by name the calls that are typed by the contract. */
export abstract class TypedCalls {
  abstract callByName(name: EnclaveExport, input?: unknown, options?: CallOptions): Promise<unknown>

  async call<Name extends EnclaveExport>(
    name: Name,
    ...[input, options]: CallArguments<Name>
  ): Promise<EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>> {
    // The plugin's bytes are this package's own build: it answers by the contract that was made from the same sources.
    return (await this.callByName(name, input, options)) as
      | EnclaveAnswer<Name>
      | Refusal<EnclaveRefusalName<Name>>
  }
}
