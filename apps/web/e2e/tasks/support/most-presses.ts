import { expect } from '@playwright/test'
import type { Hands } from './hands.ts'

/**
 * How many presses each task may take: a vault from the landing page, a grant and its link from there on, everything else from Home.
 */
const MOST = {
  'make a vault, by a passkey': 4,
  'make a vault, by a passphrase': 5,
  grant: 4,
  'hand it over': 1,
  'find a grant': 2,
  'renew a grant': 3,
  'revoke all of one agent': 5,
  'narrow a grant and pass it on': 6,
  'check a stranger’s token': 2,
  'give an agent a budget': 7,
  'pay from a budget': 5,
  'restore a vault from its backup': 4,
} as const

/** Ends a task, says what it took, and begins the next one. */
export function done(hands: Hands, task: keyof typeof MOST): void {
  console.log(`${task}: ${hands.presses} presses of ${MOST[task]}`)
  expect(hands.presses, task).toBeLessThanOrEqual(MOST[task])
  hands.startOver()
}
