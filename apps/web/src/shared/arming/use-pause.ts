import { type MouseEvent, useEffect, useState } from 'react'
import { MOMENT } from './arming.ts'
import { Presses } from './presses.ts'
import { buttonOf, watchPresses } from './watch-presses.ts'

/** Props for the button that confirms. */
interface Confirmed {
  disabled: boolean
  focusableWhenDisabled: true
  onClick: (event: MouseEvent<HTMLElement>) => void
}

/**
 * Confirms only by a press that was meant: it must start a moment after the question appeared, and a moment after the last press that came
 * too early. So a double click on the button that asks confirms nothing, and nor do rhythmic clicks. Unlike `useArmed`, the question need
 * not be entirely visible, because nothing is given away.
 *
 * @param asks the whole question as text. A new question starts the wait again. Undefined: there is no question
 */
export function usePause(asks: string | undefined, confirm: () => void): Confirmed {
  const [presses] = useState(() => new Presses())
  const [taken, setTaken] = useState<string>()
  useEffect(() => {
    if (asks === undefined) return
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      clearTimeout(timer)
      presses.stop()
      timer = setTimeout(() => {
        presses.take()
        setTaken(asks)
      }, MOMENT)
    }
    begin()
    watchPresses(presses, { signal: over.signal, on: buttonOf, onEarly: begin })
    return () => {
      over.abort()
      clearTimeout(timer)
      presses.stop()
      setTaken(undefined)
    }
  }, [asks, presses])
  const isTaken = asks !== undefined && taken === asks
  return {
    disabled: !isTaken,
    focusableWhenDisabled: true,
    onClick: ({ currentTarget, detail }) => {
      if (presses.counts(currentTarget, detail) && isTaken) confirm()
    },
  }
}
