import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { recognise } from '../../shared/words/recognise.ts'

/**
 * How long the address waits for the next letter, in milliseconds. A change of it costs more than what is found, and browsers refuse many
 * in a row.
 */
const PAUSE = 300

/** What the address says of a text. A token opens doors: its text goes into no address. */
function inAddress(text: string): string {
  // An address has no half of a character that is two units long.
  const short = text.slice(0, 500).replace(/[\uD800-\uDBFF]$/, '')
  const isToken = [text, short].some((each) => recognise(each).kind === 'token')
  return isToken || text.trim() === '' ? '' : short
}

/**
 * Keeps what is searched for in the page's address, from where a link, a reload and the way back have it.
 *
 * @param q what the address says
 * @param text what is searched for
 * @param onFollow takes what the address says, where it has come to say something else by itself
 * @returns writes it at once, before the page is left
 */
export function useAddress(q: string, text: string, onFollow: (text: string) => void): () => Promise<void> {
  const navigate = useNavigate()
  const router = useRouter()
  const typed = useRef(text)
  useLayoutEffect(() => {
    typed.current = text
  }, [text])
  /** What was written last, and all that was written and has not come back. */
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
    // Someone who is leaving is not called back.
    if (next === said.current || router.latestLocation.pathname !== '/search') return
    said.current = next
    onTheWay.current.add(next)
    const search = next === '' ? {} : { q: next }
    const how = { replace: true, resetScroll: false, viewTransition: false }
    // Where the browser refuses, the address says less; nothing else depends on it.
    await navigate({ to: '/search', search, ...how }).catch(() => undefined)
  }, [navigate, router])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits anew with each letter
  useEffect(() => {
    const timer = setTimeout(write, PAUSE)
    return () => clearTimeout(timer)
  }, [text, write])
  return write
}
