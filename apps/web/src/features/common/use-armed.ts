import { type MouseEvent, type Ref, useEffect, useState } from 'react'
import { keepArming } from './keep-arming.ts'
import { Presses } from './presses.ts'

interface ToApprove {
  /** All that is to be approved, as text; undefined while nothing can be. */
  shown: string | undefined
  /** Where it is shown, once it is: the sentence, the amount. */
  subject: Element | null
  approve: () => void
}

/** What a button takes over that approves, and the block that it stands in. */
export interface Approval {
  /** The button, and beside it for whom it is. */
  block: Ref<HTMLDivElement>
  button: {
    disabled: boolean
    focusableWhenDisabled: true
    onClick: (event: MouseEvent<HTMLElement>) => void
  }
}

/**
 * Approves by a press that is meant for it: one that begins once what is approved has been in sight, with the button and for whom it is
 * wholly in sight for a moment (`keepArming`). Whatever is shown anew begins anew.
 */
export function useArmed({ shown, subject, approve }: ToApprove): Approval {
  const [block, setBlock] = useState<Element | null>(null)
  const [presses] = useState(() => new Presses())
  const [armed, setArmed] = useState<string>()
  useEffect(() => {
    if (shown === undefined || subject === null || block === null) return
    const end = keepArming({
      ...{ subject, block, presses },
      onChange: (isArmed) => setArmed(isArmed ? shown : undefined),
    })
    return end
  }, [shown, subject, block, presses])
  const isArmed = shown !== undefined && armed === shown
  return {
    block: setBlock,
    button: {
      disabled: !isArmed,
      focusableWhenDisabled: true,
      onClick: ({ currentTarget, detail }) => {
        if (presses.counts(currentTarget, detail) && isArmed) approve()
      },
    },
  }
}
