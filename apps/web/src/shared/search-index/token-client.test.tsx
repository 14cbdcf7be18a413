import { expect, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { tokenClient } from './token-client.ts'

vi.mock('../vault/vault.ts', () => ({ clientVault: () => opened.vault() }))
const opened = openVault()

const turn = (name: 'pagehide' | 'pageshow') =>
  dispatchEvent(Object.assign(new Event(name), { persisted: true }))

test('a page in the back/forward cache reads no tokens, and reads them again when it is back', async () => {
  const count = () => tokenClient().ask({ ask: 'counts', now: Date.now() })
  // Without a Worker, the first service is replaced by one in this page.
  await vi.waitFor(count)
  const onChange = vi.fn()
  tokenClient().follow({ onChange, onMove: () => undefined })
  turn('pagehide')
  await expect(count()).rejects.toMatchObject({ details: { name: 'NoVault' } })
  turn('pageshow')
  expect(onChange).toHaveBeenCalled()
  await vi.waitFor(count)
})
