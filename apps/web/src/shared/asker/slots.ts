/** The places in a request's view that are filled, or taken out, before React is there. */
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

/** Marks a place. */
export const slot = (name: Slot) => ({ 'data-slot': name })
