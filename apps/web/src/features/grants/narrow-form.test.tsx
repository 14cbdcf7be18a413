import type { KeyVault } from '@keyhole/vault'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Token } from '../../../../../packages/enclave/src/test/naive-tokens.ts'
import { EMPTY_DRAFT } from '../../shared/grant-form/draft.ts'
import { clearDraft, setDraft } from '../../shared/hooks/drafts.ts'
import { firstLink, giver, lastLink, receiveChain } from '../../test/given-chain.ts'
import { givenByAnother, openVault, STRANGER } from '../../test/open-vault.tsx'
import { NarrowForm } from './narrow-form.tsx'

const { vault, show } = openVault()
const HOUR = 3600

let parent: Awaited<ReturnType<KeyVault['tokens']['receive']>>
beforeAll(async () => {
  const { token } = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [],
    expires_at: Math.floor(Date.now() / 1000) + HOUR,
  })
  parent = await vault().tokens.receive(token)
})
afterEach(() => clearDraft(`narrow:${parent.id}`))

test('an end past the chain’s is refused in words, and what was typed stays', async () => {
  const before = await vault().tokens.list()
  setDraft(`narrow:${parent.id}`, { ...EMPTY_DRAFT, command: '/msg/send', expiry: '1y' })
  show(<NarrowForm parent={parent} onDone={() => {}} />)
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: STRANGER } })
  fireEvent.click(screen.getByText('Sign and pass on'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
  expect(screen.getByLabelText('Who')).toHaveProperty('value', STRANGER)
  expect(await vault().tokens.list()).toEqual(before)
})

test('a command that is not held is told at its field, and nothing is signed', async () => {
  const before = await vault().tokens.list()
  show(<NarrowForm parent={parent} onDone={() => {}} />)
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: STRANGER } })
  fireEvent.change(screen.getByLabelText('What they can do'), { target: { value: '/mail' } })
  fireEvent.click(screen.getByText('Sign and pass on'))
  expect(
    await screen.findByText(
      'You received /msg, which does not cover /mail. Choose it or something under it.',
    ),
  ).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('What they can do')))
  expect(await vault().tokens.list()).toEqual(before)
})

/** Receives a chain of links made by hand, and opens the form for it. */
async function narrow(chain: readonly Token[]) {
  const received = await receiveChain(vault(), chain)
  const { container: page } = show(<NarrowForm parent={received} onDone={() => {}} />)
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: STRANGER } })
  const said = async () => {
    const preview = await screen.findByRole('region', { name: 'What you are about to sign' })
    await waitFor(() => expect(preview.textContent).toContain('You let '))
    return preview.textContent ?? ''
  }
  const held = () => screen.getByText('What you received').parentElement?.textContent ?? ''
  const payload = () =>
    JSON.parse(within(page).getByRole('region', { name: 'payload', hidden: true }).textContent ?? '')
  return { received, said, held, payload }
}

test('a link without an end is passed on with the end of its chain', async () => {
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * HOUR
  const root = firstLink({ exp: BigInt(tomorrow) })
  const { said, held, payload, received } = await narrow([root, lastLink(vault(), { sub: giver.did })])
  expect(received.expiresAt).toBe(tomorrow * 1000)
  expect(await said()).toContain('until ')
  expect(await said()).not.toContain('never expires')
  expect(held()).toContain('until ')
  expect(payload().exp).toBe(tomorrow)
  fireEvent.click(screen.getByText('Sign and pass on'))
  await screen.findByText('Signed and stored')
  const [signed] = await vault().tokens.list()
  expect(signed?.expiresAt).toBe(tomorrow * 1000)
})

test('a link that is about any subject is passed on about that of its chain', async () => {
  const { said, held, payload, received } = await narrow([firstLink(), lastLink(vault(), { sub: null })])
  expect(received.subject).toBeNull()
  expect(await said()).not.toContain('for anyone who grants it')
  expect(held()).not.toContain('for anyone who grants it')
  expect(payload().sub).toBe(giver.did)
})

test('a link of a chain that starts later is passed on with its start', async () => {
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * HOUR
  const root = firstLink({ nbf: BigInt(tomorrow), pol: [['==', '.to', 'bob']] })
  const { said, held, payload, received } = await narrow([root, lastLink(vault(), { sub: giver.did })])
  expect(received.notBefore).toBe(tomorrow * 1000)
  await waitFor(() => expect(held()).toMatch(/from .*“to” is “bob”/))
  expect(await said()).toMatch(/from .*“to” is “bob”/)
  expect(payload().nbf).toBeUndefined()
})

test('what was passed on is told as before it was signed, with the limits of its whole chain', async () => {
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * HOUR
  const root = firstLink({ exp: BigInt(tomorrow), pol: [['==', '.to', 'bob']] })
  const { said } = await narrow([root, lastLink(vault(), { sub: giver.did })])
  await waitFor(async () => expect(await said()).toContain('“to” is “bob”'))
  fireEvent.click(screen.getByText('Sign and pass on'))
  const made = (await screen.findByText('Signed and stored')).closest('section')
  expect(made?.textContent).toContain('“to” is “bob”')
  expect(made?.textContent).not.toContain('The limits of the grant that it comes from apply too.')
})
