import type { AttackGroup } from './attack.ts'
import { FORGING } from './forging.ts'
import { BREAKING, STEALING } from './stealing.ts'
import { WIDENING } from './widening.ts'

/** Every attack that can be tried on the sandbox. */
export const ATTACK_GROUPS: readonly AttackGroup[] = [FORGING, WIDENING, STEALING, BREAKING]
