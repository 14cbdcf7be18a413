import type { Grant, Holder } from '@keyhole/holder'
import {
  type Connection,
  type ConnectionRequest,
  connect,
  connectionOf,
  pageHolder,
  resumeConnection,
} from './connect.ts'

/**
 * The state of a connection between a page and a vault.
 * - `starting`: checking whether there is a grant already.
 * - `none`: there is none.
 * - `asking`: the person is being asked.
 * - `connected`; `expiring` once the grant expires soon: call `connect` again, from a click, to renew it.
 */
export interface ConnectorState {
  readonly status: 'starting' | 'none' | 'asking' | 'connected' | 'expiring'
  readonly connection: Connection | undefined
  /** Why the last attempt failed: a `ConnectError` or a `HolderError`. */
  readonly error: unknown
}

/** A page's request and its state, for a button or anything else that shows it. */
export interface Connector {
  readonly state: ConnectorState
  /**
   * Calls `changed` whenever the state changes. The first subscriber starts the check for a grant. @returns
   * unsubscribes
   */
  subscribe(changed: () => void): () => void
  /** Asks, or asks again: call it from a click. It never rejects; the state has the result. */
  connect(): Promise<void>
}

/** How long before its expiry a grant counts as expiring by default, in seconds. */
const DEFAULT_RENEW = 300

/**
 * Creates a connector. It loads and asks nothing before someone subscribes, so it can be created on a server too.
 * @param request `renewWithin` is how many seconds before its expiry a grant is `expiring`. Default: 300
 */
export function createConnector(request: ConnectionRequest & { readonly renewWithin?: number }): Connector {
  const { renewWithin = DEFAULT_RENEW } = request
  const listeners = new Set<() => void>()
  let state: ConnectorState = { status: 'starting', connection: undefined, error: undefined }
  let holding: Promise<Holder> | undefined
  let starting: Promise<void> | undefined
  let stop: (() => void)[] = []

  const set = (changes: Partial<ConnectorState>) => {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }
  const holderOf = () => {
    holding ??= Promise.resolve(request.holder ?? pageHolder())
    return holding
  }
  /** Whether a grant covers the request, or a part of it. */
  const fits = ({ command, policy, state: now }: Grant) =>
    now === 'active' &&
    (isWithin(command, request.command) || isWithin(request.command, command)) &&
    !excludes(policy, request.policy ?? [])

  /** The first check. There is one for all: it takes the answer out of the address, so a second one would find none. */
  async function start(): Promise<void> {
    try {
      const holder = await holderOf()
      const answered = await resumeConnection({ holder })
      const held = (await holder.grants()).filter(fits).at(-1)
      if (state.status !== 'starting') return
      const connection = answered ?? (held && connectionOf(held, holder))
      set({ status: connection ? 'connected' : 'none', connection })
    } catch (error) {
      if (state.status === 'starting') set({ status: 'none', error })
    }
  }

  /** Whoever subscribes again, after a while without anyone, may find that the grant has expired. */
  async function look(): Promise<void> {
    starting ??= start()
    await starting
    const { connection } = state
    if (!connection) return
    const held = await connection.holder.grants().catch(() => undefined)
    const grant = held?.find(({ token }) => token === connection.token)
    if (state.connection !== connection) return
    if (grant?.state === 'expired') set({ status: 'none', connection: undefined })
    else await watch(connection.holder)
  }

  /** Watches for the connection's grant to expire soon, and to expire. */
  async function watch(holder: Holder): Promise<void> {
    for (const end of stop.splice(0)) end()
    if (listeners.size === 0) return
    const isOurs = ({ token }: Grant) => token === state.connection?.token
    stop = [
      holder.onExpiring(
        (grant) => isOurs(grant) && state.status === 'connected' && set({ status: 'expiring' }),
        {
          within: renewWithin,
        },
      ),
      holder.onExpiring((grant) => isOurs(grant) && set({ status: 'none', connection: undefined }), {
        within: 0,
      }),
    ]
  }

  return {
    get state() {
      return state
    },
    subscribe(changed) {
      listeners.add(changed)
      if (listeners.size === 1) void look()
      return () => {
        listeners.delete(changed)
        if (listeners.size === 0) for (const end of stop.splice(0)) end()
      }
    },
    async connect() {
      const before = state
      if (before.status === 'asking') return
      set({ status: 'asking', error: undefined })
      try {
        const connection = await connect({ ...request, holder: holderOf() })
        set({ status: 'connected', connection })
        await watch(connection.holder)
      } catch (error) {
        // Keep the previous connection.
        set({ ...before, status: before.connection ? before.status : 'none', error })
      }
    },
  }
}

function isWithin(command: string, above: string): boolean {
  return above === '/' || command === above || command.startsWith(`${above}/`)
}

/** Whether a grant's limits ask for one value of a field, and the request's for another: then it covers no part of the request. */
function excludes(granted: readonly unknown[], asked: readonly unknown[]): boolean {
  const limits = equalities(granted)
  return equalities(asked).some(([field, value]) =>
    limits.some(([other, only]) => other === field && only !== value),
  )
}

/** The fields that must equal one value, each with that value as JSON. */
function equalities(policy: readonly unknown[]): [field: unknown, value: string][] {
  return policy.flatMap((statement) =>
    Array.isArray(statement) && statement[0] === '=='
      ? [[statement[1], JSON.stringify(statement[2])] as [unknown, string]]
      : [],
  )
}
