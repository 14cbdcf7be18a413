import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { isOpened, recognise } from '../../shared/words/recognise.ts'

/**
 * How long to wait for the next letter before updating the address, in milliseconds. An update costs more than a search, and browsers
 * refuse too many in a row.
 */
const PAUSE = 300

/** The text for the address. A token grants access, so it never goes into an address; a request would be cut off there. */
function inAddress(text: string): string {
  // An address can't contain half of a surrogate pair.
  const short = text.slice(0, 500).replace(/[\uD800-\uDBFF]$/, '')
  const isLeftOut = [text, short].some((each) => isOpened(recognise(each)))
  return isLeftOut || text.trim() === '' ? '' : short
}

/**
 * Keeps the search in the page's address, for links, reloads and going back.
 * @param q the text in the address
 * @param text what is searched for
 * @param onFollow is called when the address changes from outside, such as by going back
 * @returns writes it at once, for when the page is left
 */
export function useAddress(q: string, text: string, onFollow: (text: string) => void): () => Promise<void> {
  const navigate = useNavigate()
  const router = useRouter()
  const typed = useRef(text)
  useLayoutEffect(() => {
    typed.current = text
  }, [text])
  /** The last value written, and all written values that haven't come back yet. */
  const said = useRef(q)
  const onTheWay = useRef(new Set<string>())
  useEffect(() => {
    const isOwn = onTheWay.current.delete(q)
    if (q === said.current) onTheWay.current.clear()
    else if (!isOwn) {
      said.current = q
      onFollow(q)
    }
  }, [q, onFollow])
  const write = useCallback(async () => {
    const next = inAddress(typed.current)
    // Don't pull back someone who is leaving the page.
    if (next === said.current || router.latestLocation.pathname !== '/search') return
    said.current = next
    onTheWay.current.add(next)
    const search = next === '' ? {} : { q: next }
    const how = { replace: true, resetScroll: false, viewTransition: false }
    // If the browser refuses, the address stays out of date. Nothing else depends on it.
    await navigate({ to: '/search', search, ...how }).catch(() => undefined)
  }, [navigate, router])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter restarts the wait
  useEffect(() => {
    const timer = setTimeout(write, PAUSE)
    return () => clearTimeout(timer)
  }, [text, write])
  return write
}
