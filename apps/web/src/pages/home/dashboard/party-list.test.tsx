import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault, STRANGER } from '../../../test/open-vault.tsx'
import { PartyList } from './party-list.tsx'

const { vault, show } = openVault()

test('calls the account’s own key “You”, and only others another key of yours', async () => {
  const { key_id: key } = await vault().keys.generate()
  const { keys, issuerDid: self = '' } = vault().getSnapshot()
  const other = keys.find(({ key_id }) => key_id === key)?.did ?? ''
  const shown = [self, other, STRANGER].map((did) => ({ id: did, dids: [did] as const, tokens: [] }))
  const rest = { label: 'x', empty: '', chosen: undefined, controls: 'y', onChoose() {}, onMore() {} }
  show(<PartyList {...rest} self={self} side={{ shown, others: [] }} />)
  expect(screen.getAllByRole('button').map((each) => each.querySelector('bdi')?.textContent)).toEqual([
    'You',
    'Another key of yours',
    expect.stringContaining('ey (…2doK)'),
  ])
})
