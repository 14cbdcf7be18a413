// How signed calls travel in MCP (docs/commands.md, "Over HTTP").

/** Field of a request's `_meta` with the invocation, as container text. */
export const INVOCATION = 'keyhole/invocation'
/** Field of a request's `_meta` with the grants by which a list is filtered. */
export const GRANTS = 'keyhole/grants'
/** Field of a list's `_meta` with the name of the one tool or prompt that is wanted, with its description for requests. */
export const DESCRIBED = 'keyhole/described'
/** Field of the `_meta` of that tool or prompt with its description: an introduction signed by the gate. */
export const SERVICE = 'keyhole/service'
/** Field of a request's `_meta`: true if the caller writes its requests itself, as a holder does. */
export const ASKS = 'keyhole/asks'
/** JSON-RPC's code for a refusal of the gate. */
export const REFUSED = -32_003
