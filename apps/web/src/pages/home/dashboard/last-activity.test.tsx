import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault } from '../../../test/open-vault.tsx'
import { Routed } from '../../../test/routed.tsx'
import { LastActivity } from './last-activity.tsx'

const { vault, show } = openVault()

test('a payment is told with its amount, and a mandate without, because that is a budget', async () => {
  const { mandate } = await vault().mandates.make({
    audienceDid: vault().getSnapshot().issuerDid ?? '',
    ...{
      payees: ['did:web:shop.example'],
      currency: 'JPY',
      max: 5_000,
      budget: { amount: 20_000, period: 'week' },
    },
  })
  const asked = { origin: 'https://shop.example', value: '1999', currency: 'JPY', order: 'A-17' }
  await vault().payments.authorize(asked, { mandate: mandate.cid })
  show(
    <Routed>
      <LastActivity known={[]} />
    </Routed>,
  )
  expect(await screen.findByText('¥1,999 · shop.example')).toBeDefined()
  expect(screen.getByText('Created a mandate').parentElement?.textContent).not.toContain('20,000')
})
