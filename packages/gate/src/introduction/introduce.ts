import { createHash } from 'node:crypto'
import type { Enclave } from '@keyhole/enclave'
import type { Holder, OpenReply, ReplyWay } from '@keyhole/holder'
import {
  INTRODUCE,
  INTRODUCTION,
  INTRODUCTION_LIFETIME,
  introductionText,
  LONGEST_INTRODUCTION,
  type OfferedServer,
  type OfferedService,
  type Offers,
} from './introduction.ts'
import { type OwnerAnswer, readOwnerAnswer } from './owner-answer.ts'

/** How much of an introduction is left if its link is too long. */
const LESS = 0.8

/** What a gate says of itself, beside what it offers. */
export interface IntroduceOptions {
  /** What it calls itself: 1 to 60 characters. The owner may call it otherwise. */
  readonly name: string
  /** Where agents reach it, if it is a process of its own. */
  readonly address?: string
  /** Longest link, in characters, so that it fits into a QR code: with a shorter one, the introduction says less of what is offered. */
  readonly longestLink?: number
  /** How the owner's answer comes back: `loopback()` or `mailbox()` of `@keyhole/holder`. Without one, no answer is expected. */
  readonly reply?: ReplyWay
  /** Ends the waiting for an answer. */
  readonly signal?: AbortSignal
}

/** An introduction, for the owner's vault. */
export interface Introduced {
  /** The text to paste. */
  readonly text: string
  /** The link that opens it in the vault. It stands after the `#`, so no server sees it. */
  readonly link: string
  /** Servers that gave no list of tools, and why: they are not in it. */
  readonly missing: ReadonlyMap<string, string>
  /**
   * Waits for what the owner's vault answers, if there is a way back. It makes no one the owner: let a person compare the code first.
   *
   * @throws GateError INVALID_ANSWER @throws HolderError RequestExpired, RelayFailed, InvalidAnswer; the signal's reason
   */
  readonly answer?: () => Promise<OwnerAnswer>
}

interface OfferingServer {
  /** Paths that its operator suggests for limits. */
  readonly suggest: readonly string[]
  offers(): Promise<Offers>
}

interface Parts extends IntroduceOptions {
  readonly did: string
  readonly vault: string
  /** The owners that the gate has. */
  readonly owners: readonly string[]
  readonly enclave: Pick<Enclave, 'call'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Of the gate's own key. */
  readonly holder: Holder
  readonly servers: ReadonlyMap<string, OfferingServer>
  readonly services: ReadonlyMap<string, OfferedService>
}

/**
 * Signs what the gate is called and offers, and where its owner may answer. It grants nothing.
 *
 * @throws GateError INVALID_CONFIG @throws HolderError RelayFailed if the way back can't be opened
 */
export async function introduce({
  did,
  vault,
  holder,
  clock,
  name,
  address,
  longestLink = Number.POSITIVE_INFINITY,
  reply,
  signal,
  owners,
  enclave,
  ...behind
}: Parts): Promise<Introduced> {
  const missing = new Map<string, string>()
  const offers = [...behind.servers].map(async ([server, guarded]): Promise<OfferedServer[]> => {
    try {
      return [{ name: server, ...(await guarded.offers()), suggest: guarded.suggest }]
    } catch (error) {
      missing.set(server, error instanceof Error ? error.message : String(error))
      return []
    }
  })
  const servers = (await Promise.all(offers)).flat()
  const services = [...behind.services.values()].map(({ name, methods, paths = [] }) => ({
    name,
    methods,
    paths,
  }))
  const sign = async (way: OpenReply | undefined) => {
    const said = {
      name,
      at: Math.floor(clock() / 1_000),
      ...(address !== undefined && { address }),
      ...(way && { reply: way.reply }),
      servers,
      services,
    }
    const options = { subject: did, expiresIn: INTRODUCTION_LIFETIME }
    for (let longest = LONGEST_INTRODUCTION; ; longest = Math.floor(longest * LESS)) {
      const introduction = introductionText(said, longest)
      const { token } = await holder.invoke(INTRODUCE, { introduction }, options)
      const text = `${INTRODUCTION}${token}`
      const url = new URL('/identity?tab=contacts', vault)
      url.hash = text
      // How much shorter a link becomes shows only when it is packed and signed.
      if (url.href.length <= longestLink) return { text, link: url.href, missing }
    }
  }
  if (!reply) return await sign(undefined)
  const ended = new AbortController()
  const end = () => ended.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  try {
    signal?.throwIfAborted()
    const way = await reply(ended.signal)
    const introduced = await sign(way)
    const digest = createHash('sha256').update(introduced.text).digest()
    return {
      ...introduced,
      async answer() {
        const aborted = new Promise<never>((_resolve, reject) => {
          if (ended.signal.aborted) reject(ended.signal.reason)
          ended.signal.addEventListener('abort', () => reject(ended.signal.reason))
        })
        try {
          const text = await Promise.race([way.receive(new Uint8Array(digest)), aborted])
          return await readOwnerAnswer(text, { digest, gate: did, vault, owners, enclave, clock })
        } finally {
          end()
        }
      },
    }
  } catch (error) {
    end()
    throw error
  }
}
