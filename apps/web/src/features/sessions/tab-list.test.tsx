import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { TabList } from './tab-list.tsx'

const { vault, show } = openVault()

test('a tab is told by what it is, and its id is in its details only', async () => {
  const snapshot = vault().getSnapshot()
  const openedAt = new Date().setHours(0, 0, 0, 0)
  const tabs = [
    { id: 'oak', openedAt, here: true },
    { id: 'elm', openedAt, here: false },
  ]
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue({ ...snapshot, tabs })
  show(<TabList />)
  const list = await screen.findByRole('list', { name: 'Open tabs' })
  expect(within(list).getByText('This tab')).toBeDefined()
  expect(within(list).getByText(/^Another tab, opened today /)).toBeDefined()
  for (const id of ['oak', 'elm']) expect(within(list).getByText(id).closest('details')?.open).toBe(false)
  expect(within(list).getByRole('button', { name: /^End tab, opened today / })).toBeDefined()
})

test.each([
  [
    'a browser with a SharedWorker unlocks all tabs',
    true,
    /^Tabs .* They lock and unlock together\. All of them are unlocked now\.$/,
  ],
  [
    'without one, each tab is unlocked on its own',
    false,
    /^Tabs .* in this browser you unlock each on its own\.$/,
  ],
])('%s', async (_browser, isShared, words) => {
  if (isShared) vi.stubGlobal('SharedWorker', class {})
  onTestFinished(() => void vi.unstubAllGlobals())
  show(<TabList />)
  expect(await screen.findByText(words)).toBeDefined()
})
