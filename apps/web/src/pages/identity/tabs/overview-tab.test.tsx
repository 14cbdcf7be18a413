import { screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'

const { vault, create, load } = openClient()

test.each([
  ['unlocked', 1, false],
  ['unlocked, here and in every other tab', 2, true],
  ['unlocked in this tab', 2, false],
])('says where the vault is open: %s', async (words, count, isShared) => {
  if (isShared) vi.stubGlobal('SharedWorker', class {})
  onTestFinished(() => void vi.unstubAllGlobals())
  await create()
  const tabs = ['oak', 'elm'].slice(0, count).map((id) => ({ id, openedAt: 0, here: id === 'oak' }))
  const snapshot = { ...vault().getSnapshot(), tabs }
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  await load('/identity?tab=overview')
  expect(await screen.findByText(words)).toBeDefined()
})
