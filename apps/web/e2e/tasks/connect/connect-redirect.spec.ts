// A page that can't open a window: it leaves for the vault, and finds the answer when the person is back.
import { servePage } from '../../counterparts/script-page.ts'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { makeVault } from '../support/person.ts'

/** Says what it was granted, or why not. */
const scriptFor = (vault: string) => `import { connectByRedirect, resumeConnection } from '@keyhole/connect'
const say = (text) => { document.querySelector('output').textContent = text }
const request = { vault: '${vault}', command: '/notes/read', policy: [['==', '.folder', 'recipes']], reason: 'To show your recipes' }
document.querySelector('button').onclick = () => connectByRedirect(request).catch((error) => say(error.code))
const said = await resumeConnection().catch((error) => error)
if (said === undefined) say('not connected')
else if (said instanceof Error) say(said.code)
else {
  const { token } = await said.holder.invoke('/notes/read', { folder: 'recipes' }, { audience: said.effective.subject })
  say(['connected to', said.effective.command, 'of', said.effective.subject, token.length > 0].join(' '))
}`

test('leaves for the vault, and is connected when the person is back', async ({ page, baseURL, guard }) => {
  const vault = new URL(baseURL ?? '').origin
  const { did } = await makeVault(page)
  // No other window may reach it.
  const { origin, close } = await servePage('<button>Connect</button><output></output>', scriptFor(vault), {
    openerPolicy: 'same-origin',
  })
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
  close()
})
