// Bodies that are held in memory while they arrive. Anyone may send one, slowly, so few arrive at a time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from '@keyhole/verify'

/** A body that may be longer than this is a large one, in bytes. A call of a server has less; only many grants, for a list, have more. */
const LARGE = 65_536
/** Large bodies that arrive at a time: in total, and of one network. */
const MOST = { all: 64, each: 16 }

/** Counts large bodies that arrive. */
export class LargeBodies {
  readonly #arriving = new Map<IncomingMessage, string>()

  /**
   * Lets a body arrive. Of too many in total, the latest one of a network with more is disconnected for it.
   *
   * @param response its answer: once that is sent, nothing of the body is kept
   * @param address IP address of the client; undefined if it is unknown
   * @returns false if its network has too many already, or there are too many and no network has more
   */
  admit(request: IncomingMessage, response: ServerResponse, address: string | undefined): boolean {
    if (!isHeld(request)) return true
    const network = networkOf(address ?? '')
    if (this.#of(network).length >= MOST.each) return false
    if (this.#arriving.size >= MOST.all && !this.#makeRoom(network)) return false
    this.#arriving.set(request, network)
    // Node closes no request that was answered before it arrived.
    for (const end of [request, response]) end.once('close', () => this.#arriving.delete(request))
    return true
  }

  #of(network: string): readonly IncomingMessage[] {
    return [...this.#arriving].flatMap(([request, of]) => (of === network ? [request] : []))
  }

  /** Disconnects the latest body of the network with the most. @returns false if none has more than the one that asks would have */
  #makeRoom(asking: string): boolean {
    const networks = [...new Set(this.#arriving.values())]
    const [largest = []] = networks.map((each) => this.#of(each)).toSorted((a, b) => b.length - a.length)
    const last = largest.at(-1)
    if (!last || largest.length <= this.#of(asking).length + 1) return false
    this.#arriving.delete(last)
    last.destroy()
    return true
  }
}

/** Whether it may be a large one that is read before anything is checked. A service reads a body only once its call is allowed. */
function isHeld({ url = '', headers }: IncomingMessage): boolean {
  if (!/^\/mcp(?:\/|$)/.test(pathOf(url))) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE
}

/** The path that is served, such as `/mcp` for `/x/../mcp`. Empty if the target makes no URL: then it is answered 400, and nothing is read. */
function pathOf(target: string): string {
  const url = target.startsWith('/') ? `http://gate${target}` : target
  return URL.canParse(url) ? new URL(url).pathname : ''
}
