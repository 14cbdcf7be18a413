import { msg } from '@lingui/core/macro'
import { type Sandbox, textOf } from '../engine/sandbox.ts'
import type { FunctionGroup } from './function.ts'

/** The shop's request. */
const ASKED = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1001' }

/** Up to 50 pounds per payment, 200 a week, at one shop. */
const TERMS = {
  payees: ['did:web:shop.example'],
  max: 5_000,
  currency: 'GBP',
  budget: { period: 'week', amount: 20_000 },
}

/** A new mandate that the vault gives itself. */
async function ownMandate(sandbox: Sandbox): Promise<string> {
  return textOf(await sandbox.ask('make_mandate', TERMS), 'cid')
}

/** Gives the helper a mandate, under which it asks for a payment. */
async function request(sandbox: Sandbox): Promise<string> {
  const mandate = await sandbox.ask('make_mandate', { ...TERMS, audience_did: sandbox.helper.did })
  const asked = await sandbox.ask('invoke', {
    command: '/payment/request',
    args: { payee: 'did:web:shop.example', amount: 2_500, currency: 'GBP', order: 'A-1001' },
    subject_did: textOf(mandate, 'issuer'),
    proof_token: textOf(mandate, 'token'),
  })
  return textOf(asked, 'token')
}

/** Payments, by hand and under mandates. */
export const PAYMENTS: FunctionGroup = {
  id: 'payments',
  name: msg`Payments`,
  functions: [
    {
      name: 'check_payment',
      note: msg`Turns what a site asks for into what would be signed, or says what is wrong with it. Needs no vault.`,
      keyless: true,
      input: () => ASKED,
    },
    {
      name: 'authorize_payment',
      note: msg`Signs that the payee may collect this one payment, for a few minutes. The shop checks it offline.`,
      input: () => ({ payment: ASKED, minutes: 5 }),
    },
    {
      name: 'make_mandate',
      note: msg`Lets someone pay within a budget. The holder asks, and this vault counts.`,
      input: ({ helper }) => ({ ...TERMS, audience_did: helper.did }),
    },
    {
      name: 'list_mandates',
      note: msg`Lists the mandates with a budget, and what is left of each.`,
      input: async (sandbox) => {
        await ownMandate(sandbox)
        return {}
      },
    },
    {
      name: 'spend_mandate',
      note: msg`Authorises a payment under a mandate and counts it, in one change of the state.`,
      input: async (sandbox) => ({ cid: await ownMandate(sandbox), payment: ASKED, by_itself: true }),
    },
    {
      name: 'countersign_payment',
      note: msg`Answers a holder of a mandate who asks to pay: checks the request, counts it and authorises the payment. Each request is good for one.`,
      input: async (sandbox) => ({ request: await request(sandbox) }),
    },
    {
      name: 'suspend_mandate',
      note: msg`Lets a mandate rest until it is resumed.`,
      input: async (sandbox) => ({ cid: await ownMandate(sandbox), suspended: true }),
    },
    {
      name: 'end_mandate',
      note: msg`Ends a mandate for good. What was counted stays on record.`,
      input: async (sandbox) => ({ cid: await ownMandate(sandbox) }),
    },
  ],
}
