import type { Call } from '@keyhole/verify'
import type { Spend } from '@keyhole/verify/embedded'
import { isRecord } from '../calls/arguments.ts'
import type { BudgetRule } from '../config/config.ts'
import { refuseCall } from '../errors.ts'

/** Amounts are counted in millionths, so that sums are exact. */
const UNIT = 1_000_000
const DAY = 86_400

/**
 * What a call uses of a budget.
 *
 * @param name of the budget
 * @param now seconds since 1970
 * @throws CallRefused MalformedCall if the argument isn't an amount
 */
export function spendsOf(name: string, rule: BudgetRule, call: Call, now: number): readonly Spend[] {
  const { key, until } = periodOf(rule.per, now)
  const whose = rule.each === 'grant' ? (call.chain[0]?.cid ?? call.issuer) : ''
  const id = (what: string) => JSON.stringify(['budget', name, what, whose, key])
  const { calls, sum } = rule
  return [
    ...(calls === undefined ? [] : [{ id: id('calls'), amount: 1, most: calls, until }]),
    ...(sum === undefined
      ? []
      : [
          {
            id: id(sum.of),
            amount: amountIn(call.args, sum.of),
            most: Math.round(sum.most * UNIT),
            until,
          },
        ]),
  ]
}

/** An amount in millionths. What is not one in plain sight can't be counted. */
function amountIn(args: Readonly<Record<string, unknown>>, field: string): number {
  const found = field
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      args,
    )
  const amount = typeof found === 'bigint' ? Number(found) : found
  const scaled = typeof amount === 'number' ? Math.round(amount * UNIT) : Number.NaN
  const isAmount = Number.isSafeInteger(scaled) && scaled >= 0 && scaled / UNIT === amount
  return isAmount
    ? scaled
    : refuseCall(
        'MalformedCall',
        `A budget counts ${field}: it has to be a number from 0, with at most six decimals.`,
      )
}

/** The period that is running. */
function periodOf(per: BudgetRule['per'], now: number): { readonly key: string; readonly until: number } {
  if (per === 'month') {
    const date = new Date(now * 1_000)
    const until = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000
    return { key: `month ${until}`, until }
  }
  const length = { hour: 3_600, day: DAY, week: 7 * DAY }[per]
  // 1 January 1970 was a Thursday.
  const shift = per === 'week' ? 3 * DAY : 0
  const until = (Math.floor((now + shift) / length) + 1) * length - shift
  return { key: `${per} ${until}`, until }
}
