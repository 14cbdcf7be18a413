import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { NOBODY } from '../words/who.ts'
import { SentenceView } from './sentence-view.tsx'

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
