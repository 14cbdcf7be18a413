import { createEnclave, type Enclave, type EnclaveExport } from '@keyhole/enclave'
import { withTypedCalls } from './typed-calls.ts'

interface Home {
  readonly enclave: Enclave
  readonly clients: Set<() => void>
}

/** What leaves a vault as it is: nobody is told of it. */
const READING: ReadonlySet<EnclaveExport> = new Set<EnclaveExport>([
  ...([
    'vault_status',
    'list_mandates',
    'open_records',
    'seal_records',
    'inspect_token',
    'settle_payment',
  ] as const),
])

/** Real enclaves of which all tabs of one account share one, as in browsers with a SharedWorker. */
export class SharedEnclaves {
  readonly #homes = new Map<string, Home>()

  readonly createEnclave: typeof createEnclave = async (options) => {
    const named = options?.account
    const home = this.#homes.get(named ?? '') ?? { enclave: await createEnclave(options), clients: new Set() }
    if (named !== undefined) this.#homes.set(named, home)
    return this.#client(home, named)
  }

  #client(home: Home, named: string | undefined): Enclave {
    const homes = this.#homes
    const listeners = new Set<(change: { kind: 'changed'; call: EnclaveExport }) => void>()
    let account = named
    let last: EnclaveExport = 'vault_status'
    const tell = () => {
      for (const listener of listeners) listener({ kind: 'changed', call: last })
    }
    home.clients.add(tell)
    return withTypedCalls({
      kind: 'shared-worker',
      get account() {
        return account
      },
      async callByName(name: EnclaveExport, input?: unknown) {
        const answer = await home.enclave.callByName(name, input)
        last = name
        if (!READING.has(name)) for (const other of home.clients) if (other !== tell) other()
        return answer
      },
      async adopt(address) {
        account = address
        homes.set(address, home)
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      async close() {
        home.clients.delete(tell)
        if (home.clients.size > 0) return
        if (account !== undefined) homes.delete(account)
        await home.enclave.close()
      },
    })
  }
}
