/** What the page tells the hole behind it (app/background). */
export interface HoleState {
  /** The part of the page that it fills, if the part is about it. Otherwise it is behind the whole window, barely visible. */
  readonly stage: HTMLElement | undefined
  /** Whether its rim is lit, which means that a vault is open. */
  readonly lit: boolean
}

let state: HoleState = { stage: undefined, lit: false }
const listeners = new Set<() => void>()

export const holeState = (): HoleState => state

/** Calls `listener` on each change. Returns the unsubscribe function. */
export function subscribeToHole(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes some of it. The hole follows before the next frame. */
export function setHole(change: Partial<HoleState>): void {
  const next = { ...state, ...change }
  if (next.stage === state.stage && next.lit === state.lit) return
  state = next
  for (const listener of listeners) listener()
}
