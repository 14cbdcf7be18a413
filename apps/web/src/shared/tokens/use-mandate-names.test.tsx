import type { MandateTerms } from '@keyhole/vault'
import { TokenReader } from '@keyhole/vault/token-reader'
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { openVault, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { useMandateNames } from './use-mandate-names.ts'

vi.mock('../vault/vault.ts', () => ({ clientVault: () => opened.vault() }))
const opened = openVault()
const { vault, show } = opened

const TERMS: MandateTerms = {
  audienceDid: STRANGER,
  ...{ max: 1_500, currency: 'EUR', budget: { period: 'month', amount: 6_000 } },
}

function Names() {
  const names = useMandateNames()
  return <p role="status">{[...names].map(([cid, name]) => `${cid} ${name}`).join('; ')}</p>
}

const shown = () => screen.getByRole('status').textContent

let groceries = ''
beforeAll(async () => {
  groceries = (await vault().mandates.make({ ...TERMS, label: 'Groceries' })).mandate.cid
  await vault().mandates.make(TERMS)
  await vault().tokens.grant({ audience_did: STRANGER, command: '/msg', label: 'Letters' })
})

test('a mandate is told by its name, and no stored token is read for it', async () => {
  const asked = [
    vi.spyOn(vault().tokens, 'list'),
    vi.spyOn(vault().client, 'getPersistedTokens'),
    vi.spyOn(TokenReader.prototype, 'read'),
  ]
  show(<Names />)
  await waitFor(() => expect(shown()).toBe(`${groceries} Groceries`))
  for (const spy of asked) expect(spy).not.toHaveBeenCalled()
})

test('a name goes with the lock, and comes back with the unlock', async () => {
  show(<Names />)
  await waitFor(() => expect(shown()).toBe(`${groceries} Groceries`))
  await vault().lock()
  await waitFor(() => expect(shown()).toBe(''))
  await vault().unlock(PASSPHRASE)
  await waitFor(() => expect(shown()).toBe(`${groceries} Groceries`))
})
