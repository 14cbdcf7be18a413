// @vitest-environment happy-dom
import { createHolder, memoryStore } from '@keyhole/holder'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { createConnector } from './connector.ts'
import { ConnectButton, useConnection } from './react.tsx'
import { FakePage, VAULT } from './test/vault.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function setUp() {
  const page = new FakePage()
  vi.spyOn(window, 'open').mockImplementation((url) => page.open(String(url)) as never)
  vi.spyOn(page, 'hears').mockImplementation((data, origin, source) => {
    window.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))
  })
  const holder = createHolder({ store: memoryStore() })
  const connector = createConnector({ vault: VAULT, command: '/msg/send', holder })
  return { page, connector }
}

it('the button asks, shows the state, and passes on the props of a button', async () => {
  const { page, connector } = setUp()
  render(<ConnectButton connector={connector} className="mine" />)
  const button = screen.getByRole('button')
  await waitFor(() => expect(button.dataset.status).toBe('none'))
  expect(button.className).toBe('mine')
  expect(button.getAttribute('type')).toBe('button')
  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  await page.grant()
  await waitFor(() => expect(button.dataset.status).toBe('connected'))
})

it('the hook returns the state, and the button shows the given label', async () => {
  const { page, connector } = setUp()
  function App() {
    const { connection } = useConnection(connector)
    return (
      <>
        <p>{connection?.effective.command ?? 'nothing'}</p>
        <ConnectButton connector={connector}>{({ status }) => `It is ${status}`}</ConnectButton>
      </>
    )
  }
  render(<App />)
  await screen.findByText('It is none')
  fireEvent.click(screen.getByRole('button'))
  await page.grant()
  await screen.findByText('/msg/send')
  await screen.findByText('It is connected')
})

it('it renders on a server too, where nothing is checked', () => {
  const connector = createConnector({ vault: VAULT, command: '/msg/send' })
  expect(renderToString(<ConnectButton connector={connector} />)).toContain('data-status="starting"')
})
