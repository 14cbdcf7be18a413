import { isIPv6 } from 'node:net'

/** A token bucket: `burst` calls at once, refilled by `perMinute`. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/** Limits per network. See {@link networkOf}. */
export const RATES = {
  open: { burst: 30, perMinute: 6 },
  send: { burst: 30, perMinute: 6 },
  read: { burst: 120, perMinute: 60 },
  revoke: { burst: 200, perMinute: 10 },
  feed: { burst: 120, perMinute: 60 },
  report: { burst: 60, perMinute: 12 },
  append: { burst: 300, perMinute: 60 },
  records: { burst: 120, perMinute: 60 },
  // KiB of reports and notices beyond those they replace. They stay for 90 days: of one network 17 MB at most, a fifteenth of the room.
  room: { burst: 4_096, perMinute: 0.1 },
} satisfies Record<string, Rate>

export type Act = keyof typeof RATES

/** Networks that are remembered. Beyond that, those that were quiet the longest are forgotten. */
const MOST_NETWORKS = 20_000

export class Rates {
  readonly #rates: Readonly<Record<Act, Rate>>
  /** What is left in each bucket, and since when. */
  readonly #buckets = new Map<string, { readonly left: number; readonly at: number }>()

  constructor(rates: Readonly<Record<Act, Rate>> = RATES) {
    this.#rates = rates
  }

  /** Takes calls from a bucket. @param now in milliseconds @param calls below 0 to give some back @returns false if there are fewer: then none is taken */
  take(act: Act, address: string, now: number, calls = 1): boolean {
    const key = `${act} ${networkOf(address)}`
    const { burst, perMinute } = this.#rates[act]
    const known = this.#buckets.get(key) ?? { left: burst, at: now }
    const left = Math.min(burst, known.left + (Math.max(now - known.at, 0) / 60_000) * perMinute)
    // A map keeps its order of insertion, so the oldest come first.
    this.#buckets.delete(key)
    const isThere = left >= calls
    this.#buckets.set(key, { left: isThere ? left - calls : left, at: now })
    if (this.#buckets.size > MOST_NETWORKS) {
      const [oldest] = this.#buckets.keys()
      if (oldest !== undefined) this.#buckets.delete(oldest)
    }
    return isThere
  }
}

/**
 * The network an address counts towards: an IPv4 address itself, or the first 56 bits of an IPv6 address, because one
 * customer usually gets that whole range.
 */
export function networkOf(address: string): string {
  // Some proxies add the client's port: each connection would be a network of its own.
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? []
  const host = bracketed ?? dotted ?? address
  const plain = host.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  // The URL parser writes each IPv6 address in one form, with the longest run of zeros as `::`.
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const first = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? first : [...first, ...new Array(8 - first.length - rest.length).fill('0'), ...rest]
  const [a = '0', b = '0', c = '0', d = '0'] = groups
  return `${a}:${b}:${c}:${d.padStart(4, '0').slice(0, 2)}`
}
