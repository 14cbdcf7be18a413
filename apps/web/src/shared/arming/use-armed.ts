import { t } from '@lingui/core/macro'
import { type MouseEvent, type Ref, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { keepArming } from './arming.ts'
import { Presses } from './presses.ts'
import { Sight } from './sight.ts'

interface ToApprove {
  /** Everything to approve, as text. Undefined while nothing can be. */
  shown: string | undefined
  /** The element that shows it, once there is one: the sentence, the amount. */
  subject: Element | null
  /** Whether it spends or sends, and so needs a switch first. */
  isDeliberate?: boolean
  approve: () => void
}

/** Props for the button that approves, and for the block around it. */
export interface Approval {
  /** The block with the button and who gets the answer. */
  block: Ref<HTMLDivElement>
  button: Pressed & {
    /** What is still to do; undefined once it takes a press. */
    readonly title: string | undefined
  }
  /** Props for the switch that comes first. Absent if there is none. */
  consent: (Pressed & { readonly isOn: boolean }) | undefined
}

interface Pressed {
  disabled: boolean
  focusableWhenDisabled: true
  onClick: (event: MouseEvent<HTMLElement>) => void
}

/**
 * Approves with a press that was meant: one that starts after everything has been visible, with the button and the asker completely visible
 * for a moment (`keepArming`). Spending or sending takes two presses in two places: a switch and, after another moment, the button.
 * Clicking at a rhythm reaches neither. Any change to what is shown starts over.
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
    // Turning the switch doesn't reset what has been seen.
    if (looked.current?.shown !== shown || looked.current.subject !== subject)
      looked.current = { shown, subject, sight: new Sight() }
    const { sight } = looked.current
    // Drawn at once: a frame later, a button that looks enabled would take a press and ignore it.
    let draw = flushSync
    const end = keepArming({
      ...{ subject, block, presses, sight },
      onChange: (isArmed) => draw(() => setArmed(isArmed ? step : undefined)),
    })
    return () => {
      // React is drawing already.
      draw = (change) => change()
      end()
    }
  }, [shown, step, subject, block, presses])
  const isArmed = step !== undefined && armed === step
  const pressed = (isTaken: boolean, act: () => void): Pressed => ({
    disabled: !isTaken,
    focusableWhenDisabled: true,
    onClick: ({ currentTarget, detail }) => {
      if (presses.counts(currentTarget, detail) && isTaken) act()
    },
  })
  const consent = isDeliberate
    ? { isOn, ...pressed(isArmed, () => setTurned(isOn ? undefined : shown)) }
    : undefined
  const isReady = isArmed && (isOn || !isDeliberate)
  return {
    block: setBlock,
    button: { ...pressed(isReady, approve), title: isReady ? undefined : missingWords(consent) },
    consent,
  }
}

/** What a person still has to do before the button takes a press. */
function missingWords(consent: Approval['consent']): string {
  return consent && !consent.isOn && !consent.disabled
    ? t`Turn on the switch first.`
    : t`Look at all of it first. A moment later, this works.`
}
