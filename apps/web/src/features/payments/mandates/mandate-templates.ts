import { t } from '@lingui/core/macro'
import { EMPTY_MANDATE, type MandateDraft } from './mandate.ts'

/** A common case, to start a mandate from. */
export interface MandateTemplate {
  readonly id: string
  readonly name: string
  /** For whom it is, in a line. */
  readonly note: string
  readonly draft: MandateDraft
}

type Case = Omit<MandateTemplate, 'draft'> & { fill: Partial<MandateDraft> }

/** The common cases, in the language at hand. Amounts are whole, so that they are ones in every currency. */
function cases(): readonly Case[] {
  return [
    {
      id: 'shop',
      name: t`A shop, every week`,
      note: t`What the household buys, within a budget for each week.`,
      fill: { most: '80', total: '120', times: '3', period: 'week', expiry: '90d', label: t`Groceries` },
    },
    {
      id: 'agent',
      name: t`An agent for a day`,
      note: t`One errand: a few small payments today, and then nothing more.`,
      fill: { most: '20', total: '60', times: '5', period: 'day', expiry: '24h', label: t`Errand` },
    },
    {
      id: 'bill',
      name: t`A bill every month`,
      note: t`One payment a month, up to what the bill can be.`,
      fill: { most: '60', times: '1', period: 'month', expiry: '1y', label: t`Electricity` },
    },
    {
      id: 'itself',
      name: t`Small amounts, automatically`,
      note: t`This vault pays the shops that you name without asking, as long as it is open.`,
      fill: { by: 'itself', most: '5', total: '20', period: 'week', expiry: '30d', label: t`Small sums` },
    },
    {
      id: 'each',
      name: t`Without a budget`,
      note: t`No one keeps count: only each single payment must stay within the limit.`,
      fill: { counted: 'each', most: '10', expiry: '24h', label: t`Each on its own` },
    },
  ]
}

/** @param kept what stays as it was: whom it is for, which shops are paid, in which currency, which key signs */
export function mandateTemplates(
  base: Pick<MandateDraft, 'audience' | 'shops' | 'payees' | 'currency' | 'keyId'> = EMPTY_MANDATE,
): readonly MandateTemplate[] {
  const { audience, shops, payees, currency, keyId } = base
  return cases().map(({ fill, ...rest }) => ({
    ...rest,
    draft: { ...EMPTY_MANDATE, audience, shops, payees, currency, keyId, ...fill },
  }))
}
