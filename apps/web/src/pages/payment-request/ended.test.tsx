// Browsers close the window once the site has its answer, so the browser tests never see these words.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { render, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { Routed } from '../../test/routed.tsx'
import { Ended } from './ended.tsx'
import { PaymentLine } from './payment-line.ts'

const PAYMENT = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1' }
const REQUEST = {
  type: 'request',
  request: { payment: PAYMENT, timeLimit: 1_000 },
  until: 1_000,
  life: 'lock-1',
}

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** What a window shows after the worker has said how its payment ended. */
async function endedBy(message: object) {
  const line = new PaymentLine({
    ask: async (_message, port) => {
      ports.push(port)
      port.postMessage(REQUEST)
      port.postMessage(message)
      return true
    },
    gone: () => new Promise(() => {}),
  })
  await new Promise<void>((over) => {
    line.subscribe(() => {
      if (line.state().phase === 'ended') over()
    })
  })
  const state = line.state()
  if (state.phase !== 'ended') throw new Error('It has not ended')
  const page = () =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <Ended state={state} onClose={() => {}} />
      </I18nProvider>,
    )
  return {
    page,
    text: () =>
      page()
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
  }
}

test.each([
  [
    'aborted',
    'The site withdrew its request. Nothing was signed. You can close this window.',
    'Die Website hat ihre Anfrage zurückgezogen.',
  ],
  [
    'timeout',
    'The time for this payment is up. Nothing was signed. Pay again on the site, and it will ask again.',
    'Die Zeit für diese Zahlung ist um.',
  ],
  ['answered', 'The site has its answer. You can close this window.', 'Die Website hat ihre Antwort.'],
])('a window that is still open says that it was %s, and has no buttons', async (status, words, german) => {
  const { page, text } = await endedBy({ type: 'ended', status })
  expect(text()).toBe(words)
  // Read out politely, and nothing on it approves.
  expect(page()).toContain('role="status"')
  expect(page()).not.toMatch(/<(?:button|a|input)/)
  await inGerman(() => expect(text()).toContain(german))
})

test('a request that was allowed to sign before says so, and leads back to the site', async () => {
  const { page, text } = await endedBy({ type: 'claimed before' })
  expect(text()).toContain('This exact request was approved before.')
  expect(text()).toContain('Nothing was signed now.')
  expect(page()).toContain('role="alert"')
  expect(page().match(/<button/g)).toHaveLength(1)
})

test('what was signed but never arrived quotes its order, so that it ends where it seems to', async () => {
  const signed = {
    ...{ payee: 'did:web:shop.example', amount: 2500, currency: 'GBP', digits: 2, order: 'A-1” was paid' },
    ...{ id: 'bafy1', token: 'C', task: 'bafy2', at: 0, expiresAt: 300_000, issuer: 'did:key:z6Mk' },
    by: 'hand',
  } as const
  render(
    <I18nProvider i18n={i18n}>
      <Routed>
        <Ended state={{ phase: 'ended', how: 'lost', signed }} onClose={() => {}} />
      </Routed>
    </I18nProvider>,
  )
  const said = await screen.findByText(/was signed but didn’t arrive/)
  expect(said.textContent).toContain('£25.00 to shop.example for the order “A-1\\” was paid” was signed')
})
