import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { NOBODY, signedWho } from '../words/who.ts'
import { type Capability, delegationSentence } from './sentence.ts'
import { SentenceText, SentenceView, Who } from './sentence-view.tsx'

const { show } = openVault()

test('the end of a key is never broken, and what follows it stays on its line', () => {
  const capability = { issuer: STRANGER, audience: STRANGER, subject: STRANGER, command: '/msg', policy: [] }
  show(<SentenceView capability={{ ...capability, expiresAt: undefined }} contacts={NOBODY} />)
  const [tail] = screen.getAllByText('(…2doK)')
  expect(tail?.className).toBe('whitespace-nowrap')
  // A block of its own would let a comma begin the next line.
  expect(tail?.parentElement?.className).not.toContain('inline-block')
  expect(tail?.parentElement?.textContent).toBe('Unknown key (…2doK)')
})

test('the end of a key is never broken where a language says more after it', async () => {
  const tailIn = (text: string) => show(<Who text={text} />).container.querySelector('span')?.textContent
  await inGerman(() => expect(tailIn(signedWho(STRANGER))).toBe('…2doK'))
  expect(tailIn('“Anna …2doK”')).toBeUndefined()
  const twice = '“Anna (…2doK)” (…2doK)'
  expect(show(<Who text={twice} />).container.textContent).toContain(twice)
})

test('as one text, its budget comes first, and apart from what follows', () => {
  const capability: Capability = {
    ...{ issuer: STRANGER, audience: STRANGER, subject: STRANGER, policy: [], expiresAt: undefined },
    command: '/payment/request',
    spending: { budget: { amount: 2000, period: 'week' }, currency: 'GBP', digits: 2, isOwn: false },
  }
  const now = Date.now()
  const { container } = show(<SentenceText capability={capability} contacts={NOBODY} now={now} />)
  expect(container.textContent).toContain(delegationSentence(capability, NOBODY, now))
  expect(screen.getByText(/^Budget: at most/).tagName).toBe('STRONG')
})

test('as one text it says the same, with the same parts emphasised', () => {
  const capability: Capability = {
    ...{ issuer: STRANGER, audience: STRANGER, subject: STRANGER, command: '/msg', expiresAt: undefined },
    policy: [['not', ['==', '.to', 'x']]],
  }
  const now = Date.now()
  const all = [capability, { ...capability, policy: [] }]
  for (const each of all) {
    const { container, unmount } = show(<SentenceText capability={each} contacts={NOBODY} now={now} />)
    expect(container.textContent).toContain(delegationSentence(each, NOBODY, now))
    expect(screen.getByText('do anything with messages').tagName).toBe('STRONG')
    for (const tail of screen.getAllByText('(…2doK)')) expect(tail.className).toBe('whitespace-nowrap')
    unmount()
  }
  show(<SentenceText capability={{ ...capability, policy: [] }} contacts={NOBODY} now={now} />)
  expect(screen.getByText('with no limits').tagName).toBe('STRONG')
})
