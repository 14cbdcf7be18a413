// What an operator has the gate check beyond grants: calls to ask for one by one, and budgets.
import { createHash } from 'node:crypto'
import type { Enclave } from '@keyhole/enclave'
import type { Authorized, Missing } from '@keyhole/verify'
import type { BudgetStore, Spend } from '@keyhole/verify/embedded'
import type { AskRule, BudgetRule } from '../config/config.ts'
import { refuseCall } from '../errors.ts'
import type { Approvals } from './approvals.ts'
import { checkRule, matches } from './matches.ts'
import { spendsOf } from './spends-of-call.ts'

export interface RulesOptions {
  /** The server's or service's name. */
  readonly name: string
  readonly ask: readonly AskRule[]
  readonly budgets: readonly BudgetRule[]
  readonly enclave: Pick<Enclave, 'call'>
  readonly store: BudgetStore
  readonly approvals: Approvals
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The rules of one server or service. */
export interface Rules {
  /**
   * Lets a call through that was checked, just before it is carried out: uses up its approval, and counts it.
   *
   * @throws CallRefused AskFirst, OverBudget, MalformedCall @throws VerifyError STORE_FAILED
   */
  admit(call: Authorized): Promise<void>
}

/** An approval is remembered so much longer than it can be used, in seconds. */
const MARGIN = 60
/** Longest policy that is asked for, in characters of JSON. */
const LONGEST_POLICY = 8_192

/**
 * What each budget is counted under: what it is about, not its place in the list or how much it allows. So what was used stays used when rules are
 * added, moved or given another limit, and gates that list them in another order share them.
 */
export function budgetNames(name: string, budgets: readonly BudgetRule[]): readonly string[] {
  const seen = new Map<string, number>()
  return budgets.map(({ calls: _, sum, ...about }) => {
    const what = createHash('sha256')
      .update(JSON.stringify([Object.entries(about).sort(), sum?.of ?? null]))
      .digest('base64url')
    const before = seen.get(what) ?? 0
    seen.set(what, before + 1)
    return before === 0 ? `${name} ${what}` : `${name} ${what} ${before}`
  })
}

/** @throws GateError INVALID_CONFIG if a policy can't be read */
export async function makeRules(options: RulesOptions): Promise<Rules> {
  const { name, ask, budgets, enclave, store, approvals, clock } = options
  for (const rule of [...ask, ...budgets]) await checkRule(enclave, name, rule)

  async function isAny(rules: readonly AskRule[], call: Authorized): Promise<boolean> {
    for (const rule of rules) if (await matches(enclave, rule, call)) return true
    return false
  }

  const names = budgetNames(name, budgets)

  async function spends(call: Authorized, now: number): Promise<readonly Spend[]> {
    const found: Spend[] = []
    for (const [at, rule] of budgets.entries())
      if (await matches(enclave, rule, call)) found.push(...spendsOf(names[at] ?? name, rule, call, now))
    return found
  }

  return {
    async admit(call) {
      const hasOnce = call.args.once !== undefined
      if (ask.length === 0 && budgets.length === 0 && !hasOnce) return
      const now = Math.floor(clock() / 1_000)
      const ruled = { ...call, args: withoutOnce(call.args) }
      // A grant may name an approval whatever the rules are now, and then allows one call. An owner who calls has decided.
      const isAsked = hasOnce || (call.chain.length > 0 && (await isAny(ask, ruled)))
      const approval = isAsked ? approvals.read(call, now) : undefined
      if (isAsked && !approval) askFirst(call, now)
      const counted = await spends(ruled, now)
      // An approval is a budget of one call.
      const used = approval
        ? [
            ...counted,
            { id: `approval ${approval.once}`, amount: 1, most: 1, until: approval.until + MARGIN },
          ]
        : counted
      const short = used.length > 0 ? await store.spend(used, now) : undefined
      if (short === undefined) return
      if (short === counted.length) askFirst(call, now)
      const until = new Date((used[short]?.until ?? now) * 1_000).toISOString()
      refuseCall('OverBudget', `The budget for such calls of ${name} is used up until ${until}.`)
    },
  }

  function askFirst(call: Authorized, now: number): never {
    const once = approvals.make(call, now)
    const missing = missingOf(call, once)
    const message =
      call.args.once === undefined
        ? 'The owner allows such calls one by one: ask for this one.'
        : 'The approval is used up or expired, or it is of another call: ask for another one.'
    return refuseCall('AskFirst', message, { once, missing })
  }
}

function withoutOnce({ once: _, ...args }: Readonly<Record<string, unknown>>) {
  return args
}

/** The grant that allows this call, once. */
function missingOf({ subject, command, args }: Authorized, once: string): Missing | undefined {
  const policy = Object.entries({ ...args, once }).map(([field, value]) => ['==', `.${field}`, value])
  const length = JSON.stringify(policy, (_key, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  ).length
  return length <= LONGEST_POLICY ? { subject, command, policy } : undefined
}
