// A page that can't open a window: it leaves for the vault, and finds the answer when the person is back.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { makeVault } from '../support/person.ts'

/** The page's script. It says what it was granted, or why not. */
const PAGE = `import { connectByRedirect, resumeConnection } from '@keyhole/connect'
const say = (text) => { document.querySelector('output').textContent = text }
const request = { vault: '{{vault}}', command: '/notes/read', policy: [['==', '.folder', 'recipes']], reason: 'To show your recipes' }
document.querySelector('button').onclick = () => connectByRedirect(request).catch((error) => say(error.code))
const said = await resumeConnection().catch((error) => error)
if (said === undefined) say('not connected')
else if (said instanceof Error) say(said.code)
else {
  const { token } = await said.holder.invoke('/notes/read', { folder: 'recipes' }, { audience: said.effective.subject })
  say(['connected to', said.effective.command, 'of', said.effective.subject, token.length > 0].join(' '))
}`

/** Serves the page, which no other window may reach. @returns its origin */
async function serve(vault: string) {
  const bundle = await rolldown({
    input: 'page',
    resolve: { conditionNames: ['keyhole-source', 'browser', 'import', 'default'] },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? join(import.meta.dirname, 'page.js') : null),
        load: (id) => (id.endsWith('/page.js') ? PAGE.replace('{{vault}}', vault) : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const server = createServer((request, response) => {
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    const isScript = request.url === '/page.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    if (request.url === '/favicon.ico') response.writeHead(204).end()
    else if (isScript) response.end(output[0].code)
    else
      response.end(
        '<!doctype html><title>Notes</title><button>Connect</button><output></output><script type="module" src="/page.js"></script>',
      )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server }
}

test('leaves for the vault, and is connected when the person is back', async ({ page, baseURL, guard }) => {
  const vault = new URL(baseURL ?? '').origin
  const { did } = await makeVault(page)
  const { origin, server } = await serve(vault)
  guard.counterpart(origin)
  const tab = await page.context().newPage()
  await tab.goto(`${origin}/recipes?of=today`)
  const said = tab.locator('output')
  await expect(said).toHaveText('not connected')

  for (const isGranted of [false, true]) {
    await tab.getByRole('button', { name: 'Connect' }).click()
    await expect(tab.getByText(`goes to ${origin}`)).toBeVisible()
    if (isGranted) await approve(tab.getByRole('button', { name: 'Grant it' }))
    else await tab.getByRole('button', { name: 'Decline' }).click()
    await expect(said).toHaveText(isGranted ? `connected to /notes/read of ${did} true` : 'Declined')
    // The answer stays in no address.
    expect(tab.url()).toBe(`${origin}/recipes?of=today`)
  }

  // An answer that someone else hands to the page is for no request of its own.
  await tab.goto('about:blank')
  await tab.goto(`${origin}/recipes#keyhole-answer-1.${Buffer.from('{"request":"x"}').toString('base64url')}`)
  await expect(said).toHaveText('InvalidAnswer')
  server.closeAllConnections()
  server.close()
})
