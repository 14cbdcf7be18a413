// The React button and hook on a page of another site: asking, declining, granting, a reload, and renewal.
import { servePage } from '../../counterparts/script-page.ts'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { makeVault } from '../support/person.ts'

/** Two buttons of one connector, and what the hook says of it. */
const scriptFor = (vault: string) => `import { createConnector } from '@keyhole/connect'
import { ConnectButton, useConnection } from '@keyhole/connect/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const connector = createConnector({
  vault: '${vault}',
  command: '/notes/read',
  policy: [['==', '.folder', 'recipes']],
  expiresIn: 3_600,
  reason: 'To show your recipes',
})

function App() {
  const { status, connection, error } = useConnection(connector)
  return (
    <>
      <ConnectButton connector={connector} />
      <output>{[status, connection?.effective.command, error?.code].filter(Boolean).join(' ')}</output>
    </>
  )
}

createRoot(document.querySelector('#app')).render(<StrictMode><App /></StrictMode>)`

test('the React button connects, says so after a reload, and keeps quiet about a no', async ({
  page,
  baseURL,
  guard,
}) => {
  const vault = new URL(baseURL ?? '').origin
  await makeVault(page)
  const { origin, close } = await servePage('<div id="app"></div>', scriptFor(vault))
  guard.counterpart(origin)
  const site = await page.context().newPage()
  await site.goto(origin)
  const said = site.locator('output')
  await expect(said).toHaveText('none')

  for (const isGranted of [false, true]) {
    const opening = site.waitForEvent('popup')
    await site.getByRole('button', { name: 'Connect your vault' }).click()
    const window = await opening
    await expect(site.getByRole('button', { name: 'Waiting for your vault…' })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    if (isGranted) await approve(window.getByRole('button', { name: 'Grant it' }))
    else await window.getByRole('button', { name: 'Decline' }).click()
    await expect(said).toHaveText(isGranted ? 'connected /notes/read' : 'none DECLINED')
  }

  await expect(site.getByRole('button', { name: 'Connected' })).toBeVisible()
  await site.reload()
  await expect(said).toHaveText('connected /notes/read')
  close()
})
