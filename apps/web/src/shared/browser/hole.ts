/** What the page tells the hole behind it (app/background). */
export interface HoleState {
  /** What it fills: a part of the page that is about it. Without one it lies behind the whole window, hardly seen. */
  readonly stage: HTMLElement | undefined
  /** Whether its rim is lit: a vault is open. */
  readonly lit: boolean
}

let state: HoleState = { stage: undefined, lit: false }
const listeners = new Set<() => void>()

export const holeState = (): HoleState => state

/** Tells `listener` of each change; answers the unsubscribe. */
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
