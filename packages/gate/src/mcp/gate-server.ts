import type { Kind } from './commands.ts'
import type { Talk } from './talk.ts'
import type { Item } from './upstream.ts'

/** A call as it was signed. */
export interface Said {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
}

/** One MCP server through the gate: in this process, or at a gate elsewhere. */
export interface GateServer {
  readonly name: string
  /** DID of the gate, to which calls are addressed. */
  readonly gate: string
  /** DIDs of those whose grants are honoured. */
  readonly owners: readonly string[]
  /** URL of the owner's vault. */
  readonly vault: string
  /** What the server can do: `tools`, `resources`, `prompts`. */
  kinds(): Promise<readonly Kind[]>
  /**
   * Lists what these grants can reach.
   *
   * @param grants as token text
   * @param address IP address of the caller, so that one network can't keep others waiting
   */
  list(kind: Kind, grants: readonly string[], address?: string): Promise<readonly Item[]>
  /**
   * What a call says that it is for, as it is signed. Default: the same, and the server's name.
   *
   * @param grants gives them as token text. A resource is of the server that lists it for them; nothing else asks for them
   * @throws CallRefused if it names no server
   */
  argsOf?(
    command: string,
    args: Said['args'],
    grants: () => Promise<readonly string[]>,
  ): Promise<Said['args']>
  /**
   * Carries out a signed call, once.
   *
   * @param token an invocation with its proofs
   * @param said what the invocation says, for a gate elsewhere. The gate reads the invocation itself
   * @param talk how the server may speak to the agent meanwhile. A gate elsewhere doesn't use it
   * @throws CallRefused
   */
  call(token: string, signal?: AbortSignal, said?: Said, talk?: Talk): Promise<Item>
  /**
   * Tells when a resource changes that these grants can reach.
   *
   * @returns what ends it; undefined if the server can't tell, or the grants don't reach it
   */
  watch?(uri: string, grants: readonly string[], tell: () => void): Promise<(() => void) | undefined>
  /**
   * Describes what a call is about to whoever may grant it: an introduction of the server with this tool alone, signed by the gate.
   *
   * @param grants as token text. A gate elsewhere describes what they can reach
   * @returns undefined if there is nothing to describe, or no room for it
   */
  describe?(command: string, args: Said['args'], grants: readonly string[]): Promise<string | undefined>
  /** Calls `tell` when a list may have changed. */
  onChange(tell: () => void): void
}

/**
 * What a call of a server says that it is for, as it is signed.
 *
 * @param grants gives the caller's grants as token text
 * @throws CallRefused if the call names no server
 */
export async function signedArgs(
  server: GateServer,
  command: string,
  args: Said['args'],
  grants: () => Promise<readonly string[]>,
): Promise<Said['args']> {
  return server.argsOf ? await server.argsOf(command, args, grants) : { server: server.name, ...args }
}
