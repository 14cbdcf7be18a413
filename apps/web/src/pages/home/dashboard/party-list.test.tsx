import type { MandateTerms } from '@keyhole/vault'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openVault, PASSPHRASE, STRANGER } from '../../../test/open-vault.tsx'
import { Routed } from '../../../test/routed.tsx'
import { Holders } from './holders.tsx'
import { PartyList } from './party-list.tsx'

vi.mock('../../../shared/vault/vault.ts', () => ({ clientVault: () => opened.vault() }))
const opened = openVault()
const { vault, show } = opened

test('calls the account’s own key “This vault”, and only others another key of yours', async () => {
  const { key_id: key } = await vault().keys.generate()
  const { keys, issuerDid: self = '' } = vault().getSnapshot()
  const other = keys.find(({ key_id }) => key_id === key)?.did ?? ''
  const shown = [self, other, STRANGER].map((did) => ({ id: did, dids: [did] as const, tokens: [] }))
  const rest = { label: 'x', empty: '', chosen: undefined, controls: 'y', now: 0, onChoose() {}, onMore() {} }
  show(<PartyList {...rest} self={self} side={{ shown, others: [] }} />)
  expect(screen.getAllByRole('button').map((each) => each.querySelector('bdi')?.textContent)).toEqual([
    'This vault',
    'Another key of yours',
    expect.stringContaining('ey (…2doK)'),
  ])
})

test('a suspended mandate is counted apart, and the vault’s own isn’t called “You”', async () => {
  const { issuerDid: self = '' } = vault().getSnapshot()
  const terms: MandateTerms = {
    audienceDid: STRANGER,
    ...{ max: 1_500, currency: 'EUR', budget: { period: 'month', amount: 6_000 } },
  }
  const { cid } = (await vault().mandates.make(terms)).mandate
  await vault().mandates.make(terms)
  await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await vault().mandates.make({ ...terms, audienceDid: self, payees: ['did:web:shop.example'] })
  await vault().mandates.suspend(cid, true)
  const given = (await vault().tokens.list()).map((token) => ({
    ...token,
    audienceDid: token.audienceDid ?? '',
    revoked: false,
  }))
  show(
    <Routed>
      <Holders given={given} received={[]} did={self} now={Date.now()} />
    </Routed>,
  )
  const told = async (...names: string[]) => {
    const list = await screen.findByRole('list', { name: 'Who holds something of yours' })
    await waitFor(() =>
      expect(
        [...list.querySelectorAll('button')].map((each) => each.getAttribute('aria-label')).sort(),
      ).toEqual(names),
    )
  }
  await told('This vault: 1 grant', 'Unknown key (…2doK): 2 active, 1 suspended')
  screen.getByRole('button', { name: /^This vault/ }).click()
  expect((await screen.findByText('One grant that you gave to')).textContent).toMatch(/This vault$/)
  await vault().lock()
  await told('Key (…2doK): 1 active, 2 may be suspended', 'This vault: 1 may be suspended')
  await vault().unlock(PASSPHRASE)
  await told('This vault: 1 grant', 'Unknown key (…2doK): 2 active, 1 suspended')
})
