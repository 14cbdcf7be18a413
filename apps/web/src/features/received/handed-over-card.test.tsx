import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { linkFor, putHandedOverAway, takeHandedOver } from '../../shared/tokens/handed-over.ts'
import { givenByAnother, openVault, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { Routed } from '../../test/routed.tsx'
import { HandedOverCard } from './handed-over-card.tsx'

const { vault, show } = openVault()
afterEach(() => {
  putHandedOverAway()
  vi.unstubAllGlobals()
  localStorage.removeItem('keyhole:relay')
})

const SECRET = 'aB3_-aB3_-aB3_-aB3_-ag'
const TELL = /^Tell the sender that you opened it/

/** Opens the link of a grant to the vault's own key, or to another one. @returns what the relay is sent */
async function open(how: { secret?: string; to?: string; status?: number }) {
  const sent = await follow(how)
  return { sent, add: await screen.findByRole('button', { name: 'Add to your vault' }) }
}

async function follow({ secret, to, status = 204 }: { secret?: string; to?: string; status?: number }) {
  const [{ did } = { did: '' }] = vault().getSnapshot().keys
  const { token } = await givenByAnother({ audience_did: to ?? did, command: '/msg/send', policy: [] })
  const sent: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(new URL(url, location.href).pathname)
    return new Response(null, { status })
  })
  history.replaceState(null, '', new URL(linkFor(token, secret, location.origin) ?? '').href)
  takeHandedOver()
  show(
    <Routed>
      <HandedOverCard
        unlockForm={(next) => (
          <button type="button" onClick={() => vault().unlock({ passphrase: PASSPHRASE }).then(next)}>
            Unlock
          </button>
        )}
      />
    </Routed>,
  )
  return sent
}

test('opening a link tells no one; adding the grant tells its sender', async () => {
  const { sent, add } = await open({ secret: SECRET })
  expect(await screen.findByRole('checkbox', { name: TELL })).toHaveProperty('checked', true)
  expect(sent).toEqual([])
  fireEvent.click(add)
  expect(await screen.findByText('The sender can see that you opened it.')).toBeDefined()
  expect(sent).toEqual(['/relay/notices'])
})

test('whoever would rather not tells no one', async () => {
  const { sent, add } = await open({ secret: SECRET })
  fireEvent.click(await screen.findByRole('checkbox', { name: TELL }))
  fireEvent.click(add)
  expect(await screen.findByText('It is in your vault.')).toBeDefined()
  expect(screen.queryByText(/The sender/)).toBeNull()
  expect(sent).toEqual([])
})

test('says so if the relay did not take it; the grant is added all the same', async () => {
  const { add } = await open({ secret: SECRET, status: 503 })
  fireEvent.click(add)
  expect(await screen.findByText('The sender could not be told.')).toBeDefined()
  expect(screen.getByText('It is in your vault.')).toBeDefined()
})

test('offers it to the holder alone, by a link that asks for it, where the relay is on', async () => {
  await open({})
  expect(screen.queryByRole('checkbox')).toBeNull()
  cleanup()
  await open({ secret: SECRET, to: STRANGER })
  expect(screen.queryByRole('checkbox')).toBeNull()
  cleanup()
  localStorage.setItem('keyhole:relay', 'off')
  await open({ secret: SECRET })
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a locked vault is unlocked there, and then the grant can be added', async () => {
  await vault().lock()
  await follow({})
  const place = await screen.findByRole('region', { name: 'Unlock to add it to your vault' })
  expect(screen.queryByRole('button', { name: 'Add to your vault' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Unlock' }))
  const add = await screen.findByRole('button', { name: 'Add to your vault' })
  expect(place.isConnected).toBe(false)
  // The field that had the focus is gone.
  await act(async () => {})
  expect(document.activeElement?.contains(add)).toBe(true)
  fireEvent.click(add)
  expect(await screen.findByText('It is in your vault.')).toBeDefined()
})
