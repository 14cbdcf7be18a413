import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { recognise } from '../words/recognise.ts'

/**
 * How long the address waits for the next letter, in milliseconds. A change of it costs more than what is found, and browsers refuse many
 * in a row.
 */
const PAUSE = 300

/** What the address says of a text. A token opens doors: its text goes into no address. */
function inAddress(text: string): string {
  const short = text.slice(0, 500)
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
  const said = useRef(q)
  useEffect(() => {
    if (q === said.current) return
    said.current = q
    onFollow(q)
  }, [q, onFollow])
  const write = useCallback(async () => {
    const next = inAddress(text)
    if (next === said.current) return
    said.current = next
    await navigate({
      to: '/search',
      search: next === '' ? {} : { q: next },
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })
  }, [text, navigate])
  useEffect(() => {
    const timer = setTimeout(write, PAUSE)
    return () => clearTimeout(timer)
  }, [write])
  return write
}
