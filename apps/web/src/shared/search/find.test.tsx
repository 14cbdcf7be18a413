import type { PaymentRecord } from '@keyhole/vault'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { find } from './find.ts'

const { create, load, vault } = openClient()

const queries = new QueryClient()
const look = (text: string, payments?: readonly PaymentRecord[]) => find(queries, text, 8, payments)

const SHOP = 'did:web:shop.example'

test('payments are found by the names that contacts have now', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    audienceDid: vault().getSnapshot().issuerDid ?? '',
    ...{ payees: [SHOP], currency: 'GBP', max: 500, budget: { amount: 2000, period: 'week' } },
  })
  const asked = { origin: 'https://shop.example', value: '4.50', currency: 'GBP', order: 'A-17' }
  await vault().payments.authorize(asked, { mandate: mandate.cid })
  await load('/')
  const payments = await vault().payments.list()
  const titles = async (text: string) =>
    (await look(text, payments)).flatMap(({ kind, title }) => (kind === 'payment' ? [title] : []))
  expect(await titles('a-17')).toEqual(['£4.50 to shop.example'])
  const shop = await vault().contacts.save({ name: 'Corner shop', kind: 'service', dids: [SHOP] })
  expect(await titles('corner')).toEqual(['£4.50 to Corner shop (shop.example)'])
  await vault().contacts.rename(shop.id, 'Bakery')
  expect(await titles('corner')).toEqual([])
  expect(await titles('bakery')).toEqual(['£4.50 to Bakery (shop.example)'])
})

test('a suspended mandate and a request for a payment are told as on their own pages', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    audienceDid: STRANGER,
    ...{
      payees: [SHOP],
      currency: 'GBP',
      max: 500,
      budget: { amount: 2000, period: 'week' },
      label: 'Errand',
    },
  })
  await load('/')
  const status = async () => (await look('errand')).map(({ status }) => status)
  expect(await status()).toEqual(['live'])
  await vault().mandates.suspend(mandate.cid, true)
  expect(await status()).toEqual(['suspended'])
  const own = vault().getSnapshot().issuerDid ?? ''
  const args = { payee: SHOP, amount: 1999, currency: 'GBP', order: 'A-17' }
  const request = { command: '/payment/request', subject_did: own, audience_did: STRANGER }
  await vault().tokens.invoke({ ...request, args })
  expect((await look('kind:signed')).map(({ title }) => title)).toEqual([
    'You ask Unknown key (…2doK) to pay £19.99 to shop.example for the order “A-17”',
  ])
})

test('each request is read once, however much is typed', async () => {
  await create()
  const own = vault().getSnapshot().issuerDid ?? ''
  const asked = { subject_did: own, audience_did: STRANGER }
  await vault().tokens.invoke({ ...asked, command: '/msg/send', args: { to: 'bob@example.com' } })
  await load('/')
  const inspect = vi.spyOn(vault().tokens, 'inspect')
  for (const text of ['s', 'se', 'sen'])
    expect((await look(text)).map(({ title }) => title)).toContain(
      'Your request to Unknown key (…2doK): send messages (“to” is “bob@example.com”)',
    )
  expect(inspect).toHaveBeenCalledTimes(1)
})

test('requests, mandates and payments are found by amounts as people type them, and by who is paid', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    audienceDid: vault().getSnapshot().issuerDid ?? '',
    ...{ payees: [SHOP], currency: 'GBP', max: 123_400, budget: { amount: 876_500, period: 'week' } },
  })
  const own = vault().getSnapshot().issuerDid ?? ''
  const args = { payee: 'did:web:market.example', amount: 250_000, currency: 'GBP', order: 'A-17' }
  const request = { command: '/payment/request', subject_did: own, audience_did: STRANGER }
  await vault().tokens.invoke({ ...request, args })
  const asked = { origin: 'https://shop.example', value: '1199.00', currency: 'GBP', order: 'A-18' }
  await vault().payments.authorize(asked, { mandate: mandate.cid })
  await load('/')
  const payments = await vault().payments.list()
  const kinds = async (text: string) => (await look(text, payments)).map(({ kind }) => kind)
  for (const typed of ['2500', '2500.00', '£2500', '2,500', '£2,500.00', '2500,00', 'market'])
    expect(await kinds(typed), typed).toEqual(['signed'])
  for (const typed of ['1234', '£1,234.00', '8765.00', '£8765'])
    expect(await kinds(typed), typed).toEqual(['mandate'])
  for (const typed of ['1199', '£1199']) expect(await kinds(typed), typed).toEqual(['payment'])
  expect(await kinds('bakery')).toEqual([])
  const market = await vault().contacts.save({
    name: 'Bakery',
    kind: 'service',
    dids: ['did:web:market.example'],
  })
  expect(await kinds('bakery £2500')).toEqual(['signed'])
  await vault().contacts.rename(market.id, 'Florist')
  expect(await kinds('bakery £2500')).toEqual([])
  expect(await kinds('florist £2500')).toEqual(['signed'])
})
