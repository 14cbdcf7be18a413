import { useSyncExternalStore } from 'react'
import { holeState, subscribeToHole } from '../../browser/hole-state.ts'
import { KeyholeMark } from './keyhole-mark.tsx'

const isLit = () => holeState().lit

/** The mark in a header: the hole behind the page has its throat behind it, and its rim is lit while a vault is open. */
export function HeaderMark() {
  const lit = useSyncExternalStore(subscribeToHole, isLit, () => false)
  return (
    <span data-throat="" className="grid">
      <KeyholeMark className="size-7 text-ink" lit={lit} />
    </span>
  )
}
