// Calls whose invocation the verifier refused. Anyone can send one, so it is looked at here whether an owner's grant is behind it.
import { type Enclave, isRefusal } from '@keyhole/enclave'
import type { Refusal } from '@keyhole/verify'
import { type ShownCall, shownCall } from './shown-call.ts'

/** Takes note of refused calls. */
export interface RefusedCalls {
  /** Waits for nothing, and never fails. @param server the server's or service's name */
  note(token: string, server: string, refusal: Pick<Refusal, 'name' | 'cid'>): void
  /** Looks at what waits, and takes no more. */
  close(): Promise<void>
}

/** A refused call that stands under an owner of the gate. */
export interface RefusedCall extends ShownCall {
  readonly token: string
  readonly server: string
  /** Why it was refused. */
  readonly outcome: string
}

export interface RefusedCallsOptions {
  /** DID of the gate, to which calls are addressed. */
  readonly gate: string
  readonly owners: readonly string[]
  readonly enclave: Pick<Enclave, 'call'>
  readonly onError: (error: unknown) => void
  /** Called with each call that stands under an owner. */
  readonly tell: (call: RefusedCall) => void
}

/** Refused calls that wait to be looked at. Beyond that they are passed over: looking takes as long as checking. */
const MOST_WAITING = 100
/** No grant is behind these for certain, so they cost no second look. */
const BY_ANYONE: readonly Refusal['name'][] = ['MalformedToken', 'InvalidSignature', 'InvalidAudience']

export function noteRefusedCalls(options: RefusedCallsOptions): RefusedCalls {
  const { gate, owners, enclave, onError, tell } = options
  let looking: Promise<void> = Promise.resolve()
  let waiting = 0
  let isClosed = false

  async function look(token: string, server: string, outcome: string): Promise<void> {
    const inspected = await enclave.call('inspect_token', { token })
    const call = isRefusal(inspected) ? undefined : shownCall(inspected.tokens, gate, owners)
    if (call) tell({ ...call, token, server, outcome })
  }

  return {
    note(token, server, { name, cid }) {
      // One that couldn't be read, or was too long to be, names no token.
      if (cid === null || BY_ANYONE.includes(name) || waiting >= MOST_WAITING || isClosed) return
      waiting += 1
      looking = looking
        .then(() => look(token, server, name))
        .catch(onError)
        .then(() => {
          waiting -= 1
        })
    },
    async close() {
      isClosed = true
      await looking
    },
  }
}
