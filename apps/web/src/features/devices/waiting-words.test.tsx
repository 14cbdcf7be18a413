import type { DevicesState } from '@keyhole/vault/devices'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { Routed } from '../../test/routed.tsx'
import { DevicesStanding } from './waiting-words.tsx'

const { show } = openVault()
const ON: DevicesState = {
  isOn: true,
  isRemoved: false,
  devices: [],
  toSend: 0,
  tooLong: 0,
  missing: 0,
  wentBack: 0,
}

test.each([
  [
    'only the relay says that it was removed',
    { waitsFor: 'relay_revoked' },
    'The relay says that this device was removed.',
    true,
  ],
  ['another device has removed it', { isRemoved: true }, 'This device was removed.', false],
] as const)('if %s, that is said, and to create a backup first', async (_, state, title, isUnsure) => {
  show(
    <Routed>
      <DevicesStanding state={{ ...ON, ...state }} onRetry={() => undefined} />
    </Routed>,
  )
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(title)
  expect(alert.textContent?.includes('Look at the list on another device.')).toBe(isUnsure)
  expect(alert.textContent).toContain('so create a backup first')
  expect(screen.getByRole('link', { name: 'Create a backup' })).toBeDefined()
})
