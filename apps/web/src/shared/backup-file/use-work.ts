import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { formatTag } from '../language/language.ts'

/** How far a long work has come. */
interface Course {
  readonly done: number
  readonly total: number
  /** Milliseconds that it has taken so far. */
  readonly took: number
}

/** Milliseconds between two times that progress is shown. */
const SHOWN_EVERY = 250
/** Milliseconds that a work must have taken before what is left of it can be told. */
const TELLS_AFTER = 2_000

/** A long work: how far it is, how long it will still take, and its end before its time. */
export interface Work {
  /** What the work takes. A work that was going on is stopped. */
  readonly begin: () => { signal: AbortSignal; onProgress: (done: number, total: number) => void }
  readonly stop: () => void
  /** From 0 to 100; null while nothing is counted. */
  readonly percent: number | null
  /** How many tokens of how many, and about how long it will still take; empty while nothing is counted. */
  readonly words: string
}

/** A work of this component: it is stopped where the component goes. */
export function useWork(): Work {
  const [course, setCourse] = useState<Course>()
  const going = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => going.current?.abort(), [])
  const begin = () => {
    going.current?.abort()
    const mine = new AbortController()
    going.current = mine
    setCourse(undefined)
    const started = performance.now()
    let shown = 0
    const onProgress = (done: number, total: number) => {
      const now = performance.now()
      if (mine.signal.aborted || (now - shown < SHOWN_EVERY && done < total)) return
      shown = now
      setCourse({ done, total, took: now - started })
    }
    return { signal: mine.signal, onProgress }
  }
  const isCounted = course !== undefined && course.total > 0
  return {
    begin,
    stop: () => going.current?.abort(),
    percent: isCounted ? (course.done / course.total) * 100 : null,
    words: isCounted ? courseWords(course) : '',
  }
}

/** How far a work is, in words. */
export function courseWords({ done, total, took }: Course): string {
  const number = new Intl.NumberFormat(formatTag())
  const [some, all] = [number.format(done), number.format(total)]
  const left = done > 0 && took >= TELLS_AFTER ? (took / done) * (total - done) : undefined
  if (left === undefined) return t`${some} of ${all} tokens`
  const seconds = Math.max(1, Math.round(left / 1000))
  const time =
    seconds < 90
      ? plural(seconds, { one: '# second', other: '# seconds' })
      : plural(Math.round(seconds / 60), { one: '# minute', other: '# minutes' })
  return t`${some} of ${all} tokens, about ${time} left`
}
