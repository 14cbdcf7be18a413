import type { Holder } from '@keyhole/holder'
import { type RevocationSource, relayRevocations } from '@keyhole/verify'

export interface FeedsOptions {
  /** The relay's base URL. */
  readonly relay: string
  /** DIDs whose revocations these are. */
  readonly owners: readonly string[]
  /** Seconds without the relay after which no call under a grant is allowed. */
  readonly freshness: number
  /** Of the gate's own key, with each owner's grant of `/relay/revocations/read`. */
  readonly holder: Holder
  readonly onError: (error: unknown) => void
}

/** Revocations from a relay, and from somewhere on this machine. */
export interface Listening extends RevocationSource {
  close(): void
}

/** After it was opened, a gate has calls wait so long for the first reading of the feeds, in milliseconds. */
const FIRST_READING = 5_000

/** Listens to the feed of each owner. What is known on this machine counts too. A gate that is cut off from the relay refuses. */
export function listenForRevocations(here: RevocationSource, options: FeedsOptions): Listening {
  const { relay, owners, freshness, holder, onError } = options
  const feeds = new Map(
    owners.map((owner) => [owner, relayRevocations({ relay, owner, holder, freshness, onError })]),
  )
  const isOver = new Promise<void>((resolve) => {
    setTimeout(resolve, FIRST_READING).unref()
  })
  return {
    async find(subject, chain) {
      const feed = feeds.get(subject)
      await Promise.race([feed?.ready, isOver])
      const there = (await feed?.find(subject, chain)) ?? []
      return [...(await here.find(subject, chain)), ...there]
    },
    close() {
      for (const feed of feeds.values()) feed.close()
    },
  }
}
