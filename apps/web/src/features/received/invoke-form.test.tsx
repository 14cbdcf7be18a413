import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Token } from '../../../../../packages/enclave/src/test/naive-tokens.ts'
import { firstLink, giver, lastLink, receiveChain } from '../../test/given-chain.ts'
import { openVault } from '../../test/open-vault.tsx'
import { InvokeForm } from './invoke-form.tsx'

const { vault, show } = openVault()
const IN_A_DAY = Math.floor(Date.now() / 1000) + 86_400

/** Receives a chain of links made by hand, and opens the form for it. */
async function use(chain: readonly Token[]) {
  const received = await receiveChain(vault(), chain)
  show(<InvokeForm stored={received} onDone={() => {}} />)
  const held = () => screen.getByText('What you received').parentElement?.textContent ?? ''
  return { received, held }
}

test('tells the limits and the end of the whole chain, not of its last link alone', async () => {
  const root = firstLink({ exp: BigInt(IN_A_DAY), pol: [['==', '.to', 'bob']] })
  const { received, held } = await use([root, lastLink(vault(), { sub: giver.did, cmd: '/msg/send' })])
  // Lists and badges say so too.
  expect(received.expiresAt).toBe(IN_A_DAY * 1000)
  expect(held()).not.toContain('no limits')
  await waitFor(() => expect(held()).toMatch(/send messages for .*, until .*“to” is “bob”/))
  expect(held()).not.toContain('The limits of the grant that it comes from')
})

test('what is still missing is named beside the button', async () => {
  const link = lastLink(vault(), { sub: giver.did, cmd: '/msg/send', pol: [['==', '.to.name', 'bob']] })
  const open = lastLink(vault(), { sub: giver.did, cmd: '/msg/send', pol: [['like', '.to', '*@b.example']] })
  const { unmount } = show(
    <InvokeForm stored={await receiveChain(vault(), [firstLink(), link])} onDone={() => {}} />,
  )
  // What can have one value only is filled in.
  expect(await screen.findByRole('button', { name: 'Sign the request', description: '' })).toBeDefined()
  unmount()
  await use([firstLink(), open])
  await screen.findByRole('button', { name: 'Sign the request', description: 'Missing or wrong: to' })
  fireEvent.change(screen.getByLabelText('to'), { target: { value: 'a@b.example' } })
  expect(screen.queryByText(/^Missing or wrong/)).toBeNull()
})

test('tells a link about any subject as one about that of its chain', async () => {
  const { received, held } = await use([firstLink(), lastLink(vault(), { sub: null })])
  expect(received.subject).toBeNull()
  await waitFor(() => expect(held()).toContain(' for '))
  expect(held()).not.toContain('for anyone who grants it')
})

test('a chain that can’t be used is told by its last link, and the form says why', async () => {
  const root = firstLink({ nbf: BigInt(IN_A_DAY) })
  const { held } = await use([root, lastLink(vault(), { sub: giver.did })])
  await waitFor(() => expect(held()).toContain('The limits of the grant that it comes from apply too.'))
  expect(screen.queryByText('Sign the request')).toBeNull()
})

test('a vault that is open from its second copy says before the press that nothing can be signed', async () => {
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  const link = lastLink(vault(), { sub: giver.did, cmd: '/msg/send' })
  const received = await receiveChain(vault(), [firstLink({ exp: BigInt(IN_A_DAY) }), link])
  const seen = vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  onTestFinished(() => seen.mockRestore())
  show(<InvokeForm stored={received} onDone={() => {}} />)
  const why = 'You can’t change a vault that is open from its second copy.'
  const sign = await screen.findByRole('button', { name: 'Sign the request', description: why })
  expect(sign.getAttribute('aria-disabled')).toBe('true')
})
