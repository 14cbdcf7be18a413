import { devicesOf } from '@keyhole/vault/devices'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { Routed } from '../../test/routed.tsx'
import DevicesPanel from './devices-panel.tsx'
import { LimitedPanel } from './limited-panel.tsx'

const { vault, show } = openVault()
const RELAY = 'https://vault.example/relay'

test('a limited device says that it is one, what it may do, and which key is granted that', async () => {
  const limited = { relay: RELAY, isRemoved: false, lastRead: Date.now() }
  show(
    <Routed>
      <LimitedPanel limited={limited} devices={devicesOf(vault())} />
    </Routed>,
  )
  expect(await screen.findByText('This is a limited device of another vault.')).toBeDefined()
  expect(screen.getByText(/It can do only what that vault grants to the key of this one/)).toBeDefined()
  expect(await screen.findByText(/Nothing yet/)).toBeDefined()
  const { issuerDid = '' } = vault().getSnapshot()
  expect(screen.getByLabelText('The key of this vault').textContent).toBe(issuerDid)
})

test.each([
  ['that a head has removed', { isRemoved: true }],
  ['that the relay refuses', { isRemoved: false, waitsFor: 'relay_revoked' }],
] as const)('a limited device %s says so, and what goes on', async (_, state) => {
  show(
    <Routed>
      <LimitedPanel limited={{ relay: RELAY, ...state }} devices={devicesOf(vault())} />
    </Routed>,
  )
  expect(await screen.findByText('This is no longer a limited device of the other vault.')).toBeDefined()
  expect(screen.getByText(/A grant that wasn’t revoked still works/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Stop being a limited device' })).toBeDefined()
})

test('a limited device that can’t reach the relay says so', async () => {
  const limited = { relay: RELAY, isRemoved: false, waitsFor: 'network' } as const
  show(
    <Routed>
      <LimitedPanel limited={limited} devices={devicesOf(vault())} />
    </Routed>,
  )
  expect(await screen.findByText('The relay can’t be reached.')).toBeDefined()
  expect(screen.getByText('This is a limited device of another vault.')).toBeDefined()
})

test('a limited device that hasn’t read that it was added says so, and claims neither', async () => {
  const limited = { relay: RELAY, isRemoved: false, waitsFor: 'unnamed', lastRead: Date.now() } as const
  show(
    <Routed>
      <LimitedPanel limited={limited} devices={devicesOf(vault())} />
    </Routed>,
  )
  expect(await screen.findByText('The relay hasn’t shown yet that this device was added.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Check now' })).toBeDefined()
  expect(screen.queryByText('This is a limited device of another vault.')).toBeNull()
  expect(screen.queryByText('This is no longer a limited device of the other vault.')).toBeNull()
})

test('before it is one, what that means is said', async () => {
  show(<DevicesPanel />)
  expect(await screen.findByText('Make this a limited device of another vault')).toBeDefined()
  expect(screen.getByText('It never gets the other vault’s keys, grants or contacts.')).toBeDefined()
})
