import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { NOBODY } from '../words/who.ts'
import { SigningForm } from './signing-form.tsx'

const { vault, show } = openVault()
afterEach(() => vi.restoreAllMocks())

const PAYLOAD = { issuer: STRANGER, audience: STRANGER, subject: STRANGER, command: '/msg/send', policy: [] }

/** The form in a window, with a sentence that is so high. @returns the sentence, and the bar that it is in with the button */
function formWith(height: number) {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height)
  const payload = { ...PAYLOAD, expiresAt: 2e9 }
  const preview = { payload, contacts: NOBODY, ready: true }
  const action = { run() {}, pending: false, error: undefined }
  show(
    <SigningForm title="x" preview={preview} action={action} submit="Sign" needed={[]}>
      x
    </SigningForm>,
  )
  const sentence = screen.getByRole('region', { name: 'What you are about to sign' })
  return { sentence, bar: sentence.closest('[data-signing-bar]') }
}

test('a sentence stays in view with its button while the fields keep most of the window', () => {
  const { bar } = formWith(innerHeight * 0.3)
  expect(bar?.classList).toContain('sticky')
})

test('a taller one is never cut: it is whole above the button, where the form ends', () => {
  const { sentence, bar } = formWith(innerHeight * 0.4)
  expect(bar?.className).not.toContain('sticky')
  expect(sentence.className).not.toMatch(/max-h|overflow/)
})

test('a vault that is open from its second copy says before the press that nothing can be signed', () => {
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  const { bar } = formWith(40)
  expect(bar?.textContent).toContain('You can’t change a vault that is open from its second copy.')
  const sign = screen.getByRole('button', {
    name: 'Sign',
    description: 'You can’t change a vault that is open from its second copy.',
  })
  expect(sign.getAttribute('aria-disabled')).toBe('true')
})
