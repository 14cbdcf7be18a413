// Brings an answer back by redirect, for a page that can't keep a window: it goes to the vault, and the vault returns
// with the answer after the `#` (docs/requests.md, "By redirect").
import { ANSWER, answersRequest, readAnswer } from '../asking/answer.ts'
import type { ReplyWay } from '../asking/reply.ts'
import { fromBase64url, toBase64url } from '../codec/text.ts'
import { HolderError, refuse } from '../errors.ts'
import type { Grant } from '../grants/grant.ts'
import type { Holder } from '../holder/holder.ts'
import { randomBytes } from '../identity/holder-key.ts'

/** Stores the digests of open requests until the page is back, in this tab's `sessionStorage`. */
const OPEN = 'keyhole-open-requests'
/** Maximum number of open requests; a new one replaces the oldest. */
const MOST = 8

/** The parts of a page in use. Default: the page's own. */
export interface PageParts {
  readonly location: Pick<Location, 'href' | 'hash'>
  readonly history: Pick<History, 'replaceState' | 'state'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Brings an answer back to this page, or another one of its origin. Next, the page goes to the request's link; on the
 * page that is loaded afterwards, {@link resume} takes the answer.
 * @param to where the vault returns to. Default: this page, without the part after its `#`
 */
export function redirect(to?: string | URL, page: PageParts = window): ReplyWay {
  return async () => {
    const url = new URL(to ?? page.location.href, page.location.href)
    url.hash = ''
    if (url.origin !== new URL(page.location.href).origin)
      refuse('InvalidInput', 'The vault can only return to a page of this origin: only that has the request.')
    return {
      reply: { redirect: url.href.replace(/#$/, '') },
      salt: salt(),
      receive(digest) {
        page.sessionStorage.setItem(
          OPEN,
          JSON.stringify([...openRequests(page), toBase64url(digest)].slice(-MOST)),
        )
        // The page is left, so this promise never settles.
        return new Promise(() => {})
      },
    }
  }
}

/**
 * Takes the answer this page was opened with, and removes it from the address.
 * @returns the grant; undefined if the page was opened without an answer
 * @throws HolderError InvalidAnswer if it answers no request of this tab; otherwise as `Holder.ask`
 */
export async function resume(holder: Holder, page: PageParts = window): Promise<Grant | undefined> {
  const text = page.location.hash.slice(1)
  if (!text.startsWith(ANSWER)) return undefined
  page.history.replaceState(page.history.state, '', page.location.href.replace(/#.*$/s, ''))
  const open = openRequests(page)
  const digest = open.find((each) => answersRequest(text, bytesOf(each)))
  if (digest === undefined) return refuse('InvalidAnswer', 'This answers no request of this tab.')
  const remember = (each: readonly string[]) => page.sessionStorage.setItem(OPEN, JSON.stringify(each))
  remember(open.filter((each) => each !== digest))
  try {
    return await holder.add(readAnswer(text, bytesOf(digest)))
  } catch (error) {
    // Nothing is wrong with the answer. Loading the page again tries again.
    if (error instanceof HolderError && error.code === 'StoreFailed') {
      remember([...openRequests(page), digest].slice(-MOST))
      page.history.replaceState(page.history.state, '', `${page.location.href.replace(/#.*$/s, '')}#${text}`)
    }
    throw error
  }
}

/** 128 random bits as white space. An answer by redirect is bound to nothing but the request's digest. */
function salt(): string {
  const pairs = [...randomBytes(16)].flatMap((byte) => [byte, byte >> 2, byte >> 4, byte >> 6])
  return pairs.map((bits) => ' \t\n\r'.charAt(bits & 3)).join('')
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
