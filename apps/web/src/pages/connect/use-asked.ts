import { useEffect, useState } from 'react'
import type { ReplyAddress } from '../../shared/requests/reply-address.ts'
import type { ConnectRequest, Refusal } from '../../shared/requests/request.ts'
import { readRequestText } from '../../shared/requests/request-text.ts'
import { requestIn } from '../../shared/text/request-in.ts'
import { type Reply, readAsking } from './channel/opener.ts'
import { type Asking, askedSoFar, stopListening, whenAsked } from './channel/receive-request.ts'

/** What this document was opened for. */
export type Asked =
  /** An app opened it and hasn't said yet what it asks for. */
  | { readonly state: 'waiting' }
  /** A person opened it and can paste a request. */
  | { readonly state: 'blank' }
  | {
      readonly state: 'asked'
      readonly request: ConnectRequest
      readonly origin?: string
      readonly reply?: Reply
      /** The request itself, if it came as text. */
      readonly text?: string
      /** What the asker calls itself there. */
      readonly name?: string
      /** Where the answer goes, if the text says so. */
      readonly replyTo?: ReplyAddress
      /** An introduction of the service that it is about. */
      readonly service?: string
    }
  | { readonly state: 'wrong'; readonly refusal: Refusal; readonly origin?: string }

/** The same for a text request. We can't tell who wrote it. */
export function askedByText(text: string): Asked {
  const read = readRequestText(text)
  return 'request' in read
    ? { state: 'asked', ...read, text: requestIn(text) ?? '' }
    : { state: 'wrong', ...read }
}

function askedByOpener(asking: Asking): Asked {
  const { origin, read, reply } = readAsking(asking)
  return 'request' in read
    ? { state: 'asked', origin, reply, request: read.request }
    : { state: 'wrong', origin, refusal: read.refusal }
}

/**
 * One request per document, because its opener can also change what is after the #. Once the opener has asked, texts are ignored, and once
 * there is a text, the opener is.
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

/** What this document is asked, after the # of its address or by its opener. A pasted request goes there too. */
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
    // It may have arrived since this was drawn.
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
