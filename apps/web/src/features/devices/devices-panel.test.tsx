import { type DevicesState, devicesOf } from '@keyhole/vault/devices'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { DeviceItem } from './device-item.tsx'
import DevicesPanel from './devices-panel.tsx'
import { RelayWords } from './relay-words.tsx'

const DEVICES: DevicesState = {
  ...{ isOn: true, isRemoved: false, devices: [], toSend: 0, tooLong: 0, missing: 0, wentBack: 0 },
}

const { vault, show } = openVault()
afterEach(() => {
  vi.unstubAllGlobals()
})

async function start(): Promise<HTMLElement> {
  fireEvent.click(await screen.findByRole('button', { name: 'Use on several devices' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(await within(dialog).findByLabelText('Passphrase'), { target: { value: PASSPHRASE } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Start' }))
  return dialog
}

test.each([
  ['can’t be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'The relay can’t be reached.'],
  [
    'keeps no records',
    async () => Response.json({ error: 'not_found' }, { status: 404 }),
    'The server of this site keeps nothing for devices.',
  ],
] as const)('a relay that %s is said in words, and nothing is changed', async (_, answer, words) => {
  vi.stubGlobal('fetch', answer)
  show(<DevicesPanel />)
  // What the relay learns is said before it learns anything.
  expect(
    await screen.findByText(/It can’t read this vault’s address, keys, names, grants or unlock methods/),
  ).toBeDefined()
  const dialog = await start()
  expect((await within(dialog).findByRole('alert')).textContent).toContain(words)
  expect(vault().getSnapshot().phase).toBe('unlocked')
})

test('a name is suggested for this device', async () => {
  show(<DevicesPanel />)
  const name = await screen.findByLabelText<HTMLInputElement>('Name of this device')
  expect(name.value.length).toBeLessThanOrEqual(60)
})

test('a device says if it can’t read what another one changed', () => {
  const device = { id: 'd', isThis: true }
  const state = { ...DEVICES, devices: [device] }
  const item = (unread: number) => (
    <DeviceItem device={device} state={{ ...state, unread }} devices={devicesOf(vault())} canChange={false} />
  )
  const words = /can’t be read here yet\. Open Keyhole on that device/
  show(item(0))
  expect(screen.queryByText(words)).toBeNull()
  show(item(1))
  expect(screen.getByText(words)).toBeDefined()
})

test.each([
  ['not removed', {}, /1 change hasn’t been sent yet\./],
  ['removed', { isRemoved: true }, /1 change was not sent\./],
  ['removed by the relay’s word', { waitsFor: 'relay_revoked' }, /1 change was not sent\./],
] as const)('a device that is %s says what became of its changes', (_, more, words) => {
  const device = { id: 'd', isThis: true }
  const state = { ...DEVICES, devices: [device], toSend: 1, ...more }
  show(<DeviceItem device={device} state={state} devices={devicesOf(vault())} canChange={false} />)
  expect(screen.getByText(words)).toBeDefined()
})

test('a limited device that was never heard from may work, and is told as one that can do what is granted', () => {
  const device = { id: 'd'.repeat(43), isThis: false, isLimited: true } as const
  const item = (more: { readonly lastHeard?: number }) => (
    <DeviceItem
      device={{ ...device, ...more }}
      state={DEVICES}
      devices={devicesOf(vault())}
      canChange={false}
    />
  )
  const never = /Not heard from yet\. It may run an older version, or adding it failed\./
  show(item({ lastHeard: 1 }))
  expect(screen.queryByText(never)).toBeNull()
  expect(screen.getByText(/It has its own key/)).toBeDefined()
  show(item({}))
  expect(screen.getByText(never).textContent).toMatch(/It has its own key/)
})

test('what an older version showed the relay is said', () => {
  const words = /showed it the vault’s address, public keys and unlock methods/
  show(<RelayWords />)
  expect(screen.queryByText(words)).toBeNull()
  show(<RelayWords knowsMethods />)
  expect(screen.getByText(words)).toBeDefined()
})

test('a vault that is open from its second copy says before the press that it can’t be put on several devices', async () => {
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  const seen = vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  onTestFinished(() => seen.mockRestore())
  show(<DevicesPanel />)
  const description = 'You can’t change a vault that is open from its second copy.'
  for (const name of ['Use on several devices', 'Show a code for a limited device']) {
    const button = await screen.findByRole('button', { name, description })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  }
})
