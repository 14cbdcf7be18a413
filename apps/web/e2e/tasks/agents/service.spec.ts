// A gate is a service that the vault knows: it introduces itself by a link, and the owner grants from what it offers. The official file
// server stands behind the gate, and the official client before it.
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { home } from '../../../../../packages/cli/src/test/command.ts'
import { atTerminal, quoted } from '../../../../../packages/cli/src/test/terminal.ts'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { card, makeVault } from '../support/person.ts'

const root = join(import.meta.dirname, '../../../../..')
const FILES = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
  '../dist/index.js',
)

test.beforeAll(() => {
  execFileSync(process.execPath, ['scripts/cli-build.mjs'], { cwd: root, stdio: 'inherit' })
})

test('a gate introduces itself, and what the owner grants from there is what it honours', async ({
  page,
  baseURL,
}) => {
  const { origin } = new URL(baseURL ?? '')
  const { did } = await makeVault(page)
  const at = await home()
  const notes = join(at.folder, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'today.txt'), 'of today')
  await writeFile(join(at.folder, 'outside.txt'), 'not yours')

  const configured = await at.run([
    ...['gate', 'init', '--json', '--owner', did, '--vault', origin, '--title', 'Notes gate'],
    ...['--', process.execPath, FILES, at.folder],
  ])
  const said = JSON.parse(configured.out)
  const tab = await page.context().newPage()
  const sent: string[] = []
  tab.on('request', (request) => sent.push(request.url(), request.postData() ?? ''))
  await tab.goto(String(said.link))
  const shown = card(tab, 'About this service')
  await expect(shown).toContainText('Saving it doesn’t grant anything.')
  await expect(shown).toContainText('“Notes gate”')
  await shown.getByRole('button', { name: 'Use this name' }).click()
  await shown.getByRole('button', { name: 'Save the service' }).click()
  const offers = card(tab, 'What it offers')
  await expect(offers.getByRole('region', { name: 'Server files' })).toContainText('read_text_file')
  // Nothing of the introduction was sent anywhere, and nothing of it stays in the address.
  expect(sent.filter((text) => text.includes('keyhole-service-1.'))).toEqual([])
  await expect(tab).toHaveURL(/\/identity\?tab=contacts&contact=[\w-]+$/)

  await tab.reload()
  await expect(tab.getByRole('button', { name: 'Grant read_text_file' })).toBeVisible()
  // A new grant starts from what the gate offers, and from the folder that its file server was given.
  await tab.goto(`${origin}/identity?tab=grants`)
  await tab.getByRole('group', { name: 'Notes gate' }).getByRole('button', { name: 'read_text_file' }).click()
  const form = card(tab, 'Grant one tool')
  await form.getByRole('button', { name: `${at.folder}/*` }).click()
  await expect(form.getByLabel('Folder of “path”')).toHaveValue(`${at.folder}/*`)
  await form.getByLabel('Folder of “path”').fill(notes)
  await form.getByRole('combobox', { name: 'What “head” may be' }).click()
  await tab.getByRole('option', { name: 'Numbers in a range' }).click()
  await form.getByLabel('At most').fill('100')
  await form.getByRole('combobox', { name: 'What “head” may be' }).click()
  await tab.getByRole('option', { name: 'Anything' }).click()
  const agent = String((await at.json(['key'])).said.did)
  await form.getByLabel('Who', { exact: true }).fill(agent)
  const sentence = form.getByRole('region', { name: 'What you are about to sign' })
  await expect(sentence).toContainText('read_text_file')
  await expect(sentence).toContainText(`${notes}/`)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  const made = card(tab, 'Signed and stored')
  await expect(made).toBeVisible()
  const downloading = tab.waitForEvent('download')
  await made.getByRole('button', { name: 'Save as a file' }).click()
  expect(await at.run(['add', await (await downloading).path()])).toMatchObject({ code: 0 })

  const client = new Client({ name: 'agent', version: '1' })
  const { folder, env, program } = at
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: folder,
      env: { ...env },
    }),
  )
  const read = async (path: string) =>
    JSON.stringify(await client.callTool({ name: 'read_text_file', arguments: { path } }))
  expect(await read(join(notes, 'today.txt'))).toContain('of today')
  for (const path of [join(folder, 'outside.txt'), `${notes}/../outside.txt`])
    expect(await read(path)).toContain('MatchError')
  expect(
    JSON.stringify(await client.callTool({ name: 'list_directory', arguments: { path: notes } })),
  ).toContain('MatchError')
  await client.close()

  // The contact shows what it was granted, and a second introduction is known.
  const again = String((await at.json(['gate', 'introduce', '--title', 'Another name'])).said.text)
  await tab.goto(`${origin}/identity?tab=contacts`)
  await tab.getByRole('button', { name: 'Add a service' }).click()
  await tab.getByLabel('Link from the service').fill(again.slice(0, -30))
  await tab.getByRole('button', { name: 'Read it' }).click()
  await expect(tab.getByText('part of it is missing')).toBeVisible()
  await tab.getByLabel('Link from the service').fill(again)
  await tab.getByRole('button', { name: 'Read it' }).click()
  await expect(tab.getByText('You know this key as Notes gate. The name stays.')).toBeVisible()
})

test('a gate without an owner gets one by the answer of a vault, and nothing is typed but yes', async ({
  page,
  baseURL,
}) => {
  const { origin } = new URL(baseURL ?? '')
  const { did } = await makeVault(page)
  const at = await home()
  const command = [
    ...[process.execPath, at.program, 'gate', 'init', '--vault', origin, '--title', 'Notes gate'],
    ...['--', process.execPath, FILES, at.folder],
  ]
  const terminal = atTerminal(quoted(command), { cwd: at.folder, env: at.env })
  const link = () => /http\S+#keyhole-service-1\.[\w-]+(?=\s)/.exec(terminal.shown())?.[0]
  await expect.poll(link, { timeout: 60_000 }).toBeDefined()

  const tab = await page.context().newPage()
  await tab.goto(link() ?? '')
  const shown = card(tab, 'About this service')
  await shown.getByRole('button', { name: 'Use this name' }).click()
  await shown.getByRole('button', { name: 'Save the service' }).click()
  const waiting = card(tab, 'This gate is waiting for its owner')
  await expect(waiting).toContainText(did)
  await expect(waiting).toContainText(`encrypted to a mailbox at ${origin}`)
  await approve(waiting.getByRole('button', { name: 'Sign as the owner' }))
  const code = (await waiting.getByTestId('owner-code').textContent()) ?? ''
  await expect.poll(terminal.shown, { timeout: 60_000 }).toContain(`Code:  ${code}`)
  expect(terminal.shown()).toContain(`Owner: ${did}`)
  terminal.type('yes')
  expect(await terminal.ended).toBe(0)
  expect(JSON.parse(await readFile(join(at.folder, 'keyhole-gate.json'), 'utf8'))).toMatchObject({
    owners: [did],
    relay: `${origin}/relay`,
  })

  // The vault shows the service, and the grant to follow revocations.
  await waiting.getByRole('button', { name: 'Done' }).click()
  await expect(card(tab, 'What it offers').getByRole('region', { name: 'Server files' })).toContainText(
    'read_text_file',
  )
})
