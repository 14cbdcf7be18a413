import { expect, test } from '../../fixtures.ts'
import { another, card, grant, makeVault, PASSPHRASE, STRANGER, unlock, visit } from '../support/person.ts'

test('a grant is handed over by a link: no server sees it, and nothing of it stays in the address', async ({
  page,
  browser,
  guard,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page: bob, context: bobs } = await another(browser, guard)
  const { did } = await makeVault(bob, { name: 'Bob' })
  await makeVault(page)
  const token = await grant(page, { to: did, command: '/msg/send', label: 'Mails for Bob' })
  const made = card(page, 'Signed and stored')
  await expect(made).toContainText('you’ll see here that they opened it')
  await made.getByRole('button', { name: 'Copy the link' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/#token=[CP][A-Za-z0-9_-]{100,}/)
  const link = await copied()
  const [address, secret, ...others] = link.split('&opened=')
  expect(address).toBe(`${new URL(page.url()).origin}/identity?tab=check#token=${token}`)
  expect(secret).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(others).toEqual([])
  const downloading = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Save as a file' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^keyhole-grant-[a-z0-9]{8}\.txt$/)
  await made.getByRole('button', { name: 'Show a QR code of the link' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await page.keyboard.press('Escape')

  const asked: string[] = []
  bobs.on('request', (request) => asked.push(request.url(), request.postData() ?? ''))
  await bob.evaluate((href) => location.assign(href), link)
  const given = card(bob, 'You were sent a grant')
  await expect(given).toContainText(/lets you send messages, with no limits, until/)
  await expect(bob).toHaveURL(/\/identity\?tab=check$/)
  await given.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(bob.getByText('Valid.', { exact: true })).toBeVisible()
  // The only tab was left for the link, and the vault locked with it.
  const unlocking = given.getByRole('region', { name: 'Unlock to add it to your vault' })
  await unlocking.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await bob.keyboard.press('Enter')
  await expect(given.getByRole('button', { name: 'Add to your vault' })).toBeVisible()
  const told = (text: string) => text.includes(token.slice(0, 40)) || text.includes(secret ?? '')
  expect(asked.filter(told)).toEqual([])
  // To open the link tells no one.
  expect(asked.filter((text) => text.includes('/relay/'))).toEqual([])
  await bobs.close()
})

test('the other side says that it opened a grant, if it likes, and its owner sees when', async ({
  page,
  browser,
  guard,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page: bob, context: bobs } = await another(browser, guard)
  const { did } = await makeVault(bob, { name: 'Bob' })
  await makeVault(page)
  const linkOf = async (label: string) => {
    await grant(page, { to: did, command: '/msg/send', label })
    const made = card(page, 'Signed and stored')
    await expect(made).toContainText('you’ll see here that they opened it')
    await made.getByRole('button', { name: 'Copy the link' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toMatch(/&opened=[\w-]{22}$/)
    return await copied()
  }
  const links = { told: await linkOf('Told'), untold: await linkOf('Untold') }

  const posted: string[] = []
  bobs.on('request', (request) => {
    if (request.url().endsWith('/relay/notices')) posted.push(request.postData() ?? '')
  })
  await visit(bob, 'Check a token')
  const given = card(bob, 'You were sent a grant')
  const tell = given.getByRole('checkbox', { name: /^Tell the sender/ })
  for (const [name, link] of Object.entries(links)) {
    await bob.evaluate((href) => {
      location.hash = new URL(href).hash
    }, link)
    await expect(tell, name).toBeChecked()
    if (name === 'untold') await tell.uncheck()
    await given.getByRole('button', { name: 'Add to your vault' }).click()
    await expect(given).toContainText('It is in your vault.')
    const said = given.getByText('The sender can see that you opened it.')
    await expect(said).toHaveCount(name === 'told' ? 1 : 0)
    await given.getByRole('button', { name: 'Close' }).click()
    await expect(given).toHaveCount(0)
  }
  expect(posted).toHaveLength(1)
  expect(posted.join()).not.toContain(did)
  await bobs.close()

  await visit(page, 'Grants')
  const item = (name: string) => page.getByRole('article', { name, exact: true })
  await item('Told').getByRole('link', { name: 'Details' }).click()
  await expect(item('Told').getByText(/^Opened on .* Their Keyhole said so\.$/)).toBeVisible()
  await visit(page, 'Home')
  await visit(page, 'Grants')
  await expect(item('Told').getByText(/^Opened on /)).toBeVisible()
  await expect(item('Untold').getByRole('link', { name: 'Details' })).toBeVisible()
  await expect(item('Untold').getByText(/^Opened/)).toHaveCount(0)
  await visit(page, 'Activity')
  await expect(page.getByText('The other side opened a grant')).toHaveCount(1)
})

test('a link opened without a vault is shown and checked, and one that was tampered with is refused plainly', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send' })
  const { origin } = new URL(page.url())
  const { page: stranger, context } = await another(browser, guard)
  await stranger.goto(`${origin}/identity?tab=check#token=${token}`)
  const given = card(stranger, 'You were sent a grant')
  await expect(given).toContainText(/lets .+ send messages/)
  await expect(given.getByRole('link', { name: 'Create a vault and add it' })).toBeVisible()
  await expect(stranger).toHaveURL(/\/identity\?tab=check$/)
  for (const [what, fragment, words] of [
    ['cut', token.slice(0, 120), 'It may have been cut off or changed on the way.'],
    ['markup', `${token}<script>alert(1)</script>`, 'It may have been cut off or changed on the way.'],
    ['too long', token.padEnd(40_000, 'A'), 'It is too long. Ask for the token as a file.'],
  ] as const) {
    await stranger.evaluate((hash: string) => {
      location.hash = hash
    }, `token=${fragment}`)
    await expect(given, what).toContainText('This link doesn’t carry a valid token.')
    await expect(given, what).toContainText(words)
    await expect(stranger, what).toHaveURL(/\/identity\?tab=check$/)
  }
  // One that is a token by its look, and is none.
  await stranger.evaluate(
    (hash: string) => {
      location.hash = hash
    },
    `token=${token.slice(0, 60)}${token.charAt(60) === 'A' ? 'B' : 'A'}${token.slice(61)}`,
  )
  await expect(stranger).toHaveURL(/\/identity\?tab=check$/)
  // A vault compresses a token where that makes it shorter, and then it can't be unpacked.
  await expect(given.getByRole('alert')).toContainText(
    token.startsWith('P') ? 'This cannot be read as a token.' : 'A signature isn’t valid.',
  )
  await expect(given.getByRole('link', { name: 'Create a vault and add it' })).toHaveCount(0)
  await given.getByRole('button', { name: 'Close' }).click()
  await expect(given).toHaveCount(0)
  await context.close()
})

test('someone without a DID at hand is asked by a link, and answers with one that fills in who it is for', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page)
  await visit(page, 'Grants')
  await page.getByRole('button', { name: 'Send them a link' }).click()
  const asking = page.getByRole('dialog', { name: 'Send a link to ask' })
  const link = (await asking.getByRole('region', { name: 'link' }).textContent())?.trim() ?? ''
  expect(new URL(link).search).toBe('?tab=ask')

  const { page: bob, context: bobs } = await another(browser, guard)
  await bob.goto(link)
  await expect(bob.getByText('Create a vault first. Then open this link again.')).toBeVisible()
  const { did } = await makeVault(bob, { name: 'Bob' })
  await bob.goto(link)
  const asked: string[] = []
  bobs.on('request', (request) => asked.push(request.url(), request.postData() ?? ''))
  const answering = card(bob, 'Your answer')
  await answering.getByLabel('Your name', { exact: true }).fill('Bob the Builder')
  const answer = (await answering.getByRole('region', { name: 'answer' }).textContent())?.trim() ?? ''
  expect(answer).toContain(`#to=${did}&name=Bob%20the%20Builder`)
  expect(asked.filter((text) => text.includes(did) || text.includes('Builder'))).toEqual([])
  await bobs.close()

  await page.keyboard.press('Escape')
  await visit(page, 'Home')
  await page.evaluate((href) => location.assign(href), answer)
  await expect(page).toHaveURL(/\/identity\?tab=grants$/)
  // The only tab was left for the link, and the vault locked with it.
  await unlock(page)
  const form = card(page, 'New grant')
  await expect(form.getByLabel('Who', { exact: true })).toHaveValue(did)
  await expect(form).toContainText(`They call themselves “Bob the Builder”.`)
  await expect(form).toContainText(`ends in …${did.slice(-12, -8)} ${did.slice(-8, -4)} ${did.slice(-4)}`)
  await form.getByRole('button', { name: 'Name this key' }).click()
  const naming = page.getByRole('dialog', { name: 'Name this key' })
  await naming.getByRole('button', { name: 'Use this name' }).click()
  await naming.getByRole('button', { name: 'Save' }).click()
  await form.getByLabel('What they can do').fill('/msg/send')
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(card(page, 'Granted so far').getByText('Bob the Builder').first()).toBeVisible()
})
