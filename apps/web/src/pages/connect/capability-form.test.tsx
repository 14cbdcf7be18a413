// What a request shows while the vault is locked, with the real enclave.
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openVault, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { fill, press } from '../../test/person.ts'
import { SeesAll } from '../../test/sees-all.ts'
import { CapabilityForm } from './capability-form.tsx'
// What the form loads later, so that no test waits for a busy machine to compile it.
import './change/chunk.ts'

// What this document found before the vault itself could say so.
vi.mock('../../shared/vault/open-mark.ts', () => ({ lookedLocked: () => true }))

const { vault, show } = openVault()

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', SeesAll)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const request = {
  ...{ kind: 'capability' as const, command: '/notes/read', audience: STRANGER },
  ...{ policy: [], expiresIn: 3_600, reason: '' },
}
const ask = () =>
  show(
    <CapabilityForm
      {...{ request, origin: undefined, name: undefined, replyTo: undefined, service: undefined }}
      onGranted={async () => {}}
      onDeclined={() => {}}
    />,
  )

test('a locked vault shows what is asked first, then how to unlock, and calls no key unknown', async () => {
  await vault().contacts.save({ name: 'Bob', dids: [STRANGER] })
  await vault().lock()
  ask()
  const asked = await screen.findByRole('heading', { name: 'What it asks for' })
  const locked = await screen.findByRole('heading', { name: 'The vault is locked' })
  expect(asked.compareDocumentPosition(locked)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(screen.getByRole('button', { name: 'Grant it' }).title).toBe('Unlock the vault to grant it.')
  expect(screen.getByText('Unlock the vault to grant it.')).toBeDefined()
  const sentence = () => document.querySelector('[data-slot=sentence]')?.textContent
  expect(sentence()).toContain('You let Key (…2doK)')
  expect(screen.getByText('If it has a name, you’ll see it once the vault is unlocked.')).toBeDefined()
  const seen = new Set<string | undefined>()
  const watch = new MutationObserver(() => seen.add(sentence()))
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  await fill('Passphrase', PASSPHRASE)
  await press('Unlock')
  await waitFor(() => expect(sentence()).toContain('You let Bob (…2doK)'), { timeout: 20_000 })
  watch.disconnect()
  expect([...seen].join()).not.toContain('Unknown')
  // The name comes before the key that only its holder can use.
  const [, holder] = document.body.textContent?.split('can use it:') ?? []
  expect(holder).toMatch(/^ ?Bob did:key:/)
  expect(screen.queryByText(/If it has a name/)).toBeNull()
  expect(screen.queryByText('Unlock the vault to grant it.')).toBeNull()
})

test('a button that takes no press yet says why, until it takes one', async () => {
  const blind = { observe: () => {}, disconnect: () => {} }
  vi.stubGlobal('IntersectionObserver', function Blind() {
    return blind
  })
  const { unmount } = ask()
  const why = 'Look at all of it first. A moment later, this works.'
  await waitFor(() => expect(screen.getByRole('button', { name: 'Grant it' }).title).toBe(why))
  unmount()
  vi.stubGlobal('IntersectionObserver', SeesAll)
  ask()
  await waitFor(() => {
    const grant = screen.getByRole('button', { name: 'Grant it' })
    expect([grant.title, grant.getAttribute('aria-disabled')]).toEqual(['', 'false'])
  })
})

test.each([
  ['no vault', { accounts: [], lost: [] }, 'Create a vault to grant it.'],
  [
    'a lost vault',
    { accounts: [], lost: [{ address: 'kh1lost', mirror: 'none' as const }] },
    'Restore your vault to grant it.',
  ],
  ['a vault that isn’t open', { lost: [] }, 'Choose a vault to grant it.'],
  ['a vault that failed to load', { phase: 'failed' as const }, /isn’t loaded/],
])('a browser with %s says at the button why it takes no press', async (_name, change, why) => {
  const snapshot = { ...vault().getSnapshot(), phase: 'empty' as const, ...change }
  const read = vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  const { unmount } = ask()
  const grant = await screen.findByRole('button', { name: 'Grant it' })
  expect([grant.getAttribute('aria-disabled'), grant.title]).toEqual([
    'true',
    typeof why === 'string' ? why : expect.stringMatching(why),
  ])
  expect(screen.getByText(why)).toBeDefined()
  unmount()
  read.mockRestore()
})

test('a vault that looks locked is told as locked while it opens, as in the view before React', async () => {
  const opening = { ...vault().getSnapshot(), phase: 'loading' as const }
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue(opening)
  ask()
  expect((await screen.findByRole('button', { name: 'Grant it' })).title).toBe(
    'Unlock the vault to grant it.',
  )
  expect(screen.getByText('If it has a name, you’ll see it once the vault is unlocked.')).toBeDefined()
})
