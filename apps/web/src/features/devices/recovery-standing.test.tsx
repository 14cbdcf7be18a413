import type { DevicesState } from '@keyhole/vault/devices'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { Routed } from '../../test/routed.tsx'
import { RecoveryStanding } from './recovery-standing.tsx'

const { show } = openVault()

const state = (more: Partial<DevicesState>): DevicesState => ({
  ...{ isOn: true, isRemoved: false, toSend: 0, tooLong: 0, missing: 0, wentBack: 0 },
  devices: [{ id: 'this', isThis: true }],
  ...more,
})

const other = { id: 'other', isThis: false, name: 'Phone' }

const shown = (more: Partial<DevicesState>) =>
  show(
    <Routed>
      <RecoveryStanding state={state(more)} />
    </Routed>,
  )

test.each([
  [
    'that the relay lacks is told as that',
    { recoveryCodeOpens: false },
    /doesn’t open the vault on a new device yet/,
  ],
  [
    'that opens the vault is told as that',
    { recoveryCodeOpens: true },
    /Anyone who has the code can do that too/,
  ],
  ['from before needs a backup file', {}, /With an older code, you also need a backup file/],
] as const)('a recovery code %s', async (_, more, words) => {
  shown(more)
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByText(/on each of your other devices/)).toBeNull()
})

test('devices that have an older version are to be opened first', async () => {
  const devices = [
    { id: 'this', isThis: true },
    { ...other, isOutdated: true },
  ]
  shown({ devices })
  expect(await screen.findByText(/First open Keyhole once on each of your other devices/)).toBeDefined()
})
