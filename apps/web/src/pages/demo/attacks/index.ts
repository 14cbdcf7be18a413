import type { AttackGroup } from './attack.ts'
import { FORGING } from './forging.ts'
import { BREAKING, STEALING } from './stealing.ts'
import { WIDENING } from './widening.ts'

/** Everything that can be tried against the sandbox. */
export const ATTACK_GROUPS: readonly AttackGroup[] = [FORGING, WIDENING, STEALING, BREAKING]
