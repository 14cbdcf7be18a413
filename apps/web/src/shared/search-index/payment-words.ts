import type { KeyVault, Mandate } from '@keyhole/vault'
import { isCurrency } from '../words/currency.ts'
import { amountsToFind } from '../words/payment.ts'
import { readAsked } from './read-asked.ts'
import type { PaymentToken, PaymentWords } from './token-messages.ts'

/** What these tokens are found by, in the same order. Undefined for one that can't be read. */
export async function paymentWords(
  vault: KeyVault,
  tokens: readonly PaymentToken[],
): Promise<readonly (PaymentWords | undefined)[]> {
  const isOpen = vault.getSnapshot().phase === 'unlocked'
  // Without them, mandates are found by their policies alone.
  const mandates = isOpen ? await vault.mandates.list().catch(() => []) : []
  const counted = new Map(mandates.map((mandate) => [mandate.cid, mandate]))
  return await Promise.all(
    tokens.map((token) =>
      token.type === 'invocation'
        ? requestWords(vault, token.token).catch(() => undefined)
        : policyWords(token.policy, counted.get(token.cid)),
    ),
  )
}

async function requestWords(vault: KeyVault, text: string): Promise<PaymentWords | undefined> {
  const payment = (await readAsked(vault, text))?.payment
  if (payment === undefined) return undefined
  const { amount, currency, order, payee } = payment
  return { words: `${amountsToFind(amount, currency)} ${order}`, payees: [payee] }
}

/** The values in a policy by the field that they are compared with. */
function valuesIn(statements: readonly unknown[], field: string): unknown[] {
  return statements.flatMap((statement): unknown[] => {
    if (!Array.isArray(statement)) return []
    const [, selector, value] = statement
    return selector === field ? [value] : valuesIn(statement, field)
  })
}

/** @param mandate what the vault counts for it, if it does */
function policyWords(policy: readonly unknown[], mandate: Mandate | undefined): PaymentWords {
  const payees = valuesIn(policy, '.payee').filter((payee) => typeof payee === 'string')
  const [currency, ...others] = new Set(valuesIn(policy, '.currency'))
  if (typeof currency !== 'string' || !isCurrency(currency) || others.length > 0) return { words: '', payees }
  const amounts = [...valuesIn(policy, '.amount'), mandate?.budget.amount].filter(isAmount)
  const words = amounts.map((amount) => amountsToFind(amount, currency, mandate?.digits))
  return { words: words.join(' '), payees }
}

function isAmount(value: unknown): value is number | bigint {
  return typeof value === 'bigint' ? value > 0n : Number.isSafeInteger(value) && Number(value) > 0
}
