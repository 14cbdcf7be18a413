// The way back by a redirect, for a page that can't keep a window: it leaves for the vault, and the vault's window comes back with the
// answer behind the `#` (docs/requests.md, "By redirect").
import { ANSWER, answersRequest, readAnswer } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { refuse } from '../errors.ts'
import type { Grant } from '../grants/grant.ts'
import type { Holder } from '../holder/holder.ts'

/** Where the digests of open requests are, until the page is back: this tab's `sessionStorage`. */
const OPEN = 'keyhole-open-requests'
/** Most requests that are open at once: the oldest makes way. */
const MOST = 8

/** What of a page is used. Default: the page's own. */
export interface PageParts {
  readonly location: Pick<Location, 'href' | 'hash'>
  readonly history: Pick<History, 'replaceState' | 'state'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * An answer comes back to this page, or another one of its origin. The page goes to the request's link next; on the page that is
 * loaded then, {@link resume} takes the answer.
 *
 * @param to where the vault's window goes. Default: this page, without what is behind its `#`
 */
export function redirect(to?: string | URL, page: PageParts = window): ReplyWay {
  return async () => {
    const url = new URL(to ?? page.location.href, page.location.href)
    url.hash = ''
    return {
      reply: { redirect: url.href.replace(/#$/, '') },
      receive(digest) {
        page.sessionStorage.setItem(
          OPEN,
          JSON.stringify([...openRequests(page), toBase64url(digest)].slice(-MOST)),
        )
        // The page is left: who waits here never hears of it.
        return new Promise(() => {})
      },
    }
  }
}

/**
 * Takes the answer that this page was opened with, out of its address too.
 *
 * @returns the grant; undefined where the page was not opened with an answer
 * @throws HolderError InvalidAnswer where it answers no request of this tab; else as `Holder.ask`
 */
export async function resume(holder: Holder, page: PageParts = window): Promise<Grant | undefined> {
  const text = page.location.hash.slice(1)
  if (!text.startsWith(ANSWER)) return undefined
  page.history.replaceState(page.history.state, '', page.location.href.replace(/#.*$/s, ''))
  const open = openRequests(page)
  const digest = open.find((each) => answersRequest(text, bytesOf(each)))
  if (digest === undefined) return refuse('InvalidAnswer', 'This answers no request of this tab.')
  page.sessionStorage.setItem(OPEN, JSON.stringify(open.filter((each) => each !== digest)))
  return await holder.add(readAnswer(text, bytesOf(digest)))
}

function openRequests({ sessionStorage }: PageParts): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(OPEN) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function bytesOf(text: string): Uint8Array {
  return fromBase64url(text) ?? new Uint8Array()
}
