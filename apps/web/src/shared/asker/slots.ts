/** The parts of a request's view that are filled in or removed before React is ready. */
export type Slot =
  | 'scheme'
  | 'host'
  | 'lookalike'
  | 'sentence'
  | 'reason'
  | 'said'
  | 'audience'
  | 'spends'
  | 'unlimited'
  | 'blocked'

export const slot = (name: Slot) => ({ 'data-slot': name })
