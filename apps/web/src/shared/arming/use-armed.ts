import { type MouseEvent, type Ref, useEffect, useRef, useState } from 'react'
import { keepArming } from './arming.ts'
import { Presses } from './presses.ts'
import { Sight } from './sight.ts'

interface ToApprove {
  /** All that is to be approved, as text; undefined while nothing can be. */
  shown: string | undefined
  /** Where it is shown, once it is: the sentence, the amount. */
  subject: Element | null
  /** Whether a switch has to be turned first: for what spends or sends. */
  isDeliberate?: boolean
  approve: () => void
}

/** What a button takes over that approves, and the block that it stands in. */
export interface Approval {
  /** The button, and beside it for whom it is. */
  block: Ref<HTMLDivElement>
  button: Pressed
  /** What the switch takes over that has to be turned first; absent where there is none. */
  consent: (Pressed & { readonly isOn: boolean }) | undefined
}

interface Pressed {
  disabled: boolean
  focusableWhenDisabled: true
  onClick: (event: MouseEvent<HTMLElement>) => void
}

/**
 * Approves by a press that is meant for it: one that begins once all of what is approved has been in sight, with the button and for whom it
 * is wholly in sight for a moment (`keepArming`). What spends or sends takes two, in two places: a switch, and after another moment the
 * button. Clicks in a rhythm come to neither. Whatever is shown anew begins anew.
 */
export function useArmed({ shown, subject, isDeliberate = false, approve }: ToApprove): Approval {
  const [block, setBlock] = useState<Element | null>(null)
  const [presses] = useState(() => new Presses())
  const [armed, setArmed] = useState<string>()
  const [turned, setTurned] = useState<string>()
  const looked = useRef<{ shown: string; subject: Element; sight: Sight }>(undefined)
  const isOn = shown !== undefined && turned === shown
  const step = shown === undefined ? undefined : `${isOn ? 'on' : 'off'} ${shown}`
  useEffect(() => {
    if (shown === undefined || step === undefined || subject === null || block === null) return
    // What was in sight stays so when the switch is turned.
    if (looked.current?.shown !== shown || looked.current.subject !== subject)
      looked.current = { shown, subject, sight: new Sight() }
    const { sight } = looked.current
    const end = keepArming({
      ...{ subject, block, presses, sight },
      onChange: (isArmed) => setArmed(isArmed ? step : undefined),
    })
    return end
  }, [shown, step, subject, block, presses])
  const isArmed = step !== undefined && armed === step
  const pressed = (isTaken: boolean, act: () => void): Pressed => ({
    disabled: !isTaken,
    focusableWhenDisabled: true,
    onClick: ({ currentTarget, detail }) => {
      if (presses.counts(currentTarget, detail) && isTaken) act()
    },
  })
  return {
    block: setBlock,
    button: pressed(isArmed && (isOn || !isDeliberate), approve),
    consent: isDeliberate
      ? { isOn, ...pressed(isArmed, () => setTurned(isOn ? undefined : shown)) }
      : undefined,
  }
}
