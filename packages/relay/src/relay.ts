import { createEnclave, type Enclave } from '@keyhole/enclave'
import { Hono } from 'hono'
import { BOUNDS, type Bounds } from './bounds.ts'
import { processTime, timeOfOtherThreads } from './checking/processor-time.ts'
import { Listeners } from './feed/listeners.ts'
import { errorResponse, RelayError } from './http/answers.ts'
import { CheckQueue } from './http/check-queue.ts'
import type { Client, RouteEnv } from './http/client.ts'
import { mailboxRoutes } from './http/mailbox-routes.ts'
import { noticeRoutes } from './http/notice-routes.ts'
import { type Act, RATES, type Rate, Rates } from './http/rates.ts'
import { recordRoutes } from './http/record-routes.ts'
import { reportRoutes } from './http/report-routes.ts'
import { revocationRoutes } from './http/revocation-routes.ts'
import { type RelayStore, StoreError } from './stores/store.ts'

export interface RelayOptions {
  /** Where it stores mailboxes and revocations. The caller opens the store, and closes it after the relay. */
  readonly store: RelayStore
  /** Hosts that clients use to reach it, with their ports: `vault.example`. Default: loopback names only. */
  readonly hosts?: readonly string[]
  /** DIDs of owners whose revocations, reports and listeners don't count towards the limits for strangers. */
  readonly owners?: readonly string[]
  /** The path it is mounted at. Default: `/relay`. */
  readonly basePath?: string
  /** Give the store the same bounds. */
  readonly bounds?: Bounds
  /** How often one address may call. */
  readonly rates?: Readonly<Record<Act, Rate>>
  /** Open listeners to the feeds of other owners: in total, and from one address. Default: 20,000 and 64. */
  readonly mostListeners?: number
  readonly mostListenersEach?: number
  /**
   * Whether it keeps the records of devices. Off by default: anyone can fill their space with new accounts. The client's
   * server turns it on.
   */
  readonly records?: boolean
  /** Checks tokens. Default: a new enclave without keys. */
  readonly enclave?: Enclave
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly clock?: () => number
  /** Called with each failure of the store and each unexpected error. */
  readonly onError?: (error: unknown) => void
}

/** Mailboxes, notices and revocation feeds, for any server that works with `Request` and `Response`. */
export interface Relay {
  /** Answers a request. */
  fetch(request: Request, client: Client): Promise<Response>
  /** Listeners connected now. */
  readonly listeners: number
  /** Disconnects all listeners. */
  close(): Promise<void>
}

/** How often expired entries are deleted, in milliseconds. */
const CLEAN_UP = 60_000

/** Creates a relay. @throws EnclaveError if the enclave doesn't start */
export async function createRelay(options: RelayOptions): Promise<Relay> {
  const { store, bounds = BOUNDS, clock = Date.now, onError = () => {}, basePath = '/relay' } = options
  const enclave = options.enclave ?? (await createEnclave({ keyless: true }))
  const listeners = new Listeners(store, onError)
  const shared = {
    store,
    bounds,
    clock,
    enclave,
    hosts: options.hosts,
    queue: new CheckQueue({
      clock: () => performance.now(),
      // Our own enclave runs in another thread. A caller's may run in this one.
      processorTime: options.enclave ? processTime : timeOfOtherThreads,
    }),
    rates: new Rates(options.rates ?? RATES),
  }

  const app = new Hono<RouteEnv>().basePath(basePath)
  app.route('/mailboxes', mailboxRoutes(shared))
  const most = {
    mostListeners: options.mostListeners ?? 20_000,
    mostListenersEach: options.mostListenersEach ?? 64,
  }
  if (options.records) app.route('/records', recordRoutes({ ...shared, ...most }))
  const owners = new Set(options.owners)
  app.route('/notices', noticeRoutes(shared))
  app.route('/reports', reportRoutes({ ...shared, owners }))
  app.route('/revocations', revocationRoutes({ ...shared, ...most, listeners, owners }))
  app.notFound(() => errorResponse(new RelayError('not_found')))
  app.onError((error) => {
    if (error instanceof RelayError) return errorResponse(error)
    onError(error)
    return errorResponse(new RelayError('unavailable', error instanceof StoreError ? error.code : undefined))
  })

  const cleaning = setInterval(() => void store.deleteExpired(clock()).catch(onError), CLEAN_UP)
  cleaning.unref()

  return {
    fetch: async (request, client) => await app.fetch(request, client),
    get listeners() {
      return listeners.size
    },
    async close() {
      clearInterval(cleaning)
      listeners.close()
      if (!options.enclave) await enclave.close()
    },
  }
}
