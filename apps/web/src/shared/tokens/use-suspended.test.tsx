import type { MandateTerms } from '@keyhole/vault'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVault, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { tokenClient } from '../search-index/token-client.ts'
import { useActiveCount } from './use-suspended.ts'

vi.mock('../vault/vault.ts', () => ({ clientVault: () => opened.vault() }))
const opened = openVault()
const { vault, show } = opened

const TERMS: MandateTerms = {
  audienceDid: STRANGER,
  ...{ max: 1_500, currency: 'EUR', budget: { period: 'month', amount: 6_000 } },
}

function Count() {
  return <p role="status">{JSON.stringify(useActiveCount())}</p>
}

const shown = () => JSON.parse(screen.getByRole('status').textContent ?? '')

test('suspended mandates are counted without reading what else their holders have, and not guessed while locked', async () => {
  const { cid } = (await vault().mandates.make(TERMS)).mandate
  await vault().mandates.make(TERMS)
  const { cid: over } = (await vault().mandates.make(TERMS)).mandate
  await vault().tokens.grant({ audience_did: STRANGER, command: '/msg' })
  await vault().mandates.suspend(cid, true)
  await vault().mandates.suspend(over, true)
  const ask = vi.spyOn(tokenClient(), 'ask')
  show(<Count />)
  await waitFor(() => expect(shown()).toEqual({ active: 2, suspended: 2, unclear: 0 }))
  await vault().mandates.end(over)
  await waitFor(() => expect(shown()).toEqual({ active: 2, suspended: 1, unclear: 0 }))
  await vault().lock()
  await waitFor(() => expect(shown()).toEqual({ active: 1, suspended: 0, unclear: 2 }))
  await vault().unlock(PASSPHRASE)
  await waitFor(() => expect(shown()).toEqual({ active: 2, suspended: 1, unclear: 0 }))
  expect(ask.mock.calls.filter(([question]) => question.ask === 'page')).toEqual([])
})

test('suspended mandates count once when reading them again fails', async () => {
  const list = vi.spyOn(vault().mandates, 'list')
  show(<Count />)
  await waitFor(() => expect(shown()).toEqual({ active: 2, suspended: 1, unclear: 0 }))
  list.mockRejectedValue(new Error('The disk is gone.'))
  onTestFinished(() => list.mockRestore())
  await vault().tokens.grant({ audience_did: STRANGER, command: '/msg' })
  await waitFor(() => expect(shown()).toEqual({ active: 2, suspended: 0, unclear: 2 }))
})
