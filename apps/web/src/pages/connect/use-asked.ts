import { useEffect, useState } from 'react'
import { type Asking, askedSoFar, stopListening, whenAsked } from './channel/hearing.ts'
import { type Reply, readAsking } from './channel/opener.ts'
import type { ConnectRequest, Refusal } from './channel/request.ts'
import { readRequestText } from './channel/request-text.ts'

/** What this document was opened for. */
export type Asked =
  /** An app opened it, and has not said yet what it wants. */
  | { readonly state: 'waiting' }
  /** A person did: a request can be pasted. */
  | { readonly state: 'blank' }
  | {
      readonly state: 'asked'
      readonly request: ConnectRequest
      readonly origin?: string
      readonly reply?: Reply
    }
  | { readonly state: 'wrong'; readonly refusal: Refusal; readonly origin?: string }

/** The same of a request as text: who wrote it, nobody can tell. */
export function askedByText(text: string): Asked {
  const read = readRequestText(text)
  return 'request' in read ? { state: 'asked', ...read } : { state: 'wrong', ...read }
}

function askedByOpener(asking: Asking): Asked {
  const { origin, read, reply } = readAsking(asking)
  return 'request' in read
    ? { state: 'asked', origin, reply, request: read.request }
    : { state: 'wrong', origin, refusal: read.refusal }
}

/**
 * One request a document, since whoever opened it can change what is behind its # as well: what the opener asked is followed by no text,
 * and a text by nothing of the opener's.
 */
function begin(): Asked {
  const asking = askedSoFar()
  if (asking) return askedByOpener(asking)
  if (location.hash.length > 1) {
    stopListening()
    return askedByText(location.hash.slice(1))
  }
  return { state: window.opener === null ? 'blank' : 'waiting' }
}

/** What is asked of this document: behind the # of its address, or by the window that opened it; and puts a pasted one there. */
export function useAsked(): [Asked, (asked: Asked) => void] {
  const [asked, setAsked] = useState(begin)
  useEffect(() => {
    const again = () => {
      stopListening()
      setAsked(begin())
    }
    const hear = (asking: Asking) => {
      removeEventListener('hashchange', again)
      setAsked(askedByOpener(asking))
    }
    const asking = askedSoFar()
    // It may have come since this was drawn.
    if (asking) return setAsked((drawn) => (drawn.state === 'waiting' ? askedByOpener(asking) : drawn))
    addEventListener('hashchange', again)
    const forget = whenAsked(hear)
    return () => {
      removeEventListener('hashchange', again)
      forget()
    }
  }, [])
  return [asked, setAsked]
}
