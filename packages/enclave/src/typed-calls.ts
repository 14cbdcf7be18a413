import type {
  AnyExport,
  CallArguments,
  CallOptions,
  EnclaveAnswer,
  EnclaveRefusalName,
  Refusal,
} from './types.ts'

/** Adds calls typed by the contract to an enclave that calls by name. */
export abstract class TypedCalls {
  abstract callByName(name: AnyExport, input?: unknown, options?: CallOptions): Promise<unknown>

  call<Name extends AnyExport>(
    name: Name,
    ...[input, options]: CallArguments<Name>
  ): Promise<EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>> {
    // The bytes are this package's own build, and the contract is generated from the same sources.
    return this.callByName(name, input, options) as Promise<
      EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>
    >
  }
}
