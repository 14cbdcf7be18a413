// The whole story with real parts: the official file server behind the gate, the official client through `keyhole mcp`, and a vault in
// Chromium. No one copies text from one to another.
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Page } from '@playwright/test'
import { type Home, home } from '../../../../../packages/cli/src/test/command.ts'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { makeVault, visit } from '../support/person.ts'

const root = join(import.meta.dirname, '../../../../..')
const FILES = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
  '../dist/index.js',
)

test.beforeAll(() => {
  execFileSync(process.execPath, ['scripts/cli-build.mjs'], { cwd: root, stdio: 'inherit' })
})

/** Runs a command that asks for a grant, and approves it once the codes match. */
async function granted(page: Page, at: Home, args: readonly string[]): Promise<void> {
  const asking = at.start([...args, '--json'])
  const { link, code } = JSON.parse(await asking.line())
  const tab = await page.context().newPage()
  await tab.goto(link)
  await expect(tab.getByTestId('short-code')).toHaveText(code)
  await approve(tab.getByRole('button', { name: 'Grant it' }))
  await expect(tab.getByText('Answer sent')).toBeVisible()
  expect(await asking.ended).toMatchObject({ code: 0, err: '' })
  await tab.close()
}

/** What a client does with a link for the person. */
type OnLink = (url: string, message: string) => Promise<void>

/** An agent's client. @param onLink opens links, if the client can */
async function connected(
  { folder, env, program }: Home,
  more: readonly string[] = [],
  onLink?: OnLink,
): Promise<Client> {
  const capabilities = onLink ? { elicitation: { url: {} } } : {}
  const client = new Client({ name: 'agent', version: '1' }, { capabilities })
  if (onLink)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      await onLink('url' in params ? params.url : '', params.message)
      return { action: 'accept' }
    })
  const args = [program, 'mcp', ...more]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      cwd: folder,
      env: { ...env },
      stderr: 'inherit',
    }),
  )
  return client
}

const read = (client: Client, path: string) =>
  client.callTool({ name: 'read_text_file', arguments: { path } })
const refusal = (error: string) =>
  expect.objectContaining({ structuredContent: expect.objectContaining({ error }) })

/** Opens the agent's grant, and waits until its gate has reported this. */
async function expectUses(page: Page, ...texts: readonly string[]): Promise<void> {
  const article = page.getByRole('article').filter({ hasText: 'read_text_file' }).first()
  await article.getByRole('link', { name: 'Details' }).click()
  const said = page.getByRole('region', { name: 'What a gate says' })
  const again = page.getByRole('button', { name: 'Ask the relay again' })
  await expect(async () => {
    if (await again.isVisible()) await again.click()
    for (const text of texts) await expect(said).toContainText(text, { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
}

test('an agent asks for a folder, uses it, passes on part of it, and loses both when the person revokes', async ({
  page,
  baseURL,
}, testInfo) => {
  const { origin } = new URL(baseURL ?? '')
  const { did } = await makeVault(page)
  const at = await home()
  const notes = join(at.folder, 'notes')
  await mkdir(notes)
  for (const name of ['today.txt', 'tomorrow.txt']) await writeFile(join(notes, name), `of ${name}`)
  await writeFile(join(at.folder, 'outside.txt'), 'not yours')

  const gate = ['gate', 'init', '--owner', did, '--vault', origin, '--', process.execPath, FILES, at.folder]
  expect(await at.run(gate)).toMatchObject({ code: 0 })
  await granted(page, at, ['gate', 'follow'])
  await granted(page, at, [
    ...['ask', '/mcp/tools/call', '--vault', origin, '--for', '7d', '--name', 'Notes agent'],
    ...['--reason', 'To read your notes'],
    ...['--limit', '["==", ".server", "files"]', '--limit', '["==", ".name", "read_text_file"]'],
    ...['--limit', JSON.stringify(['like', '.arguments.path', `${notes}/*`])],
  ])

  const client = await connected(at)
  expect(JSON.stringify(await read(client, join(notes, 'today.txt')))).toContain('of today.txt')
  testInfo.annotations.push({ type: 'first authorised call at', description: String(Date.now()) })
  for (const path of [join(at.folder, 'outside.txt'), `${notes}/../outside.txt`])
    expect(await read(client, path)).toEqual(refusal('MatchError'))
  // The server has seen one call. The gate signs a receipt for each call that it forwards.
  const log = await at.run(['gate', 'log', '--json'])
  expect(log.out.match(/"outcome":"ok"/g)).toHaveLength(1)

  const part = await at.run([
    ...['narrow', '--to', String((await at.json(['key', '--as', 'helper'])).said.did), '--for', '1h'],
    ...['--limit', JSON.stringify(['==', '.arguments.path', join(notes, 'today.txt')])],
  ])
  expect(await at.run(['add', '--as', 'helper'], part.out)).toMatchObject({ code: 0 })
  const helper = await connected(at, ['--as', 'helper'])
  expect(JSON.stringify(await read(helper, join(notes, 'today.txt')))).toContain('of today.txt')
  expect(await read(helper, join(notes, 'tomorrow.txt'))).toEqual(refusal('MatchError'))

  // The gate reports what was used to the vault, over the relay.
  await visit(page, 'Grants')
  await expectUses(page, 'Used 2 times', '“read_text_file” at “files”')

  await visit(page, 'Grants')
  const article = page.getByRole('article').filter({ hasText: 'read_text_file' }).first()
  await article.getByRole('button', { name: 'Revoke…' }).click()
  const revoke = page.getByRole('alertdialog').getByRole('button', { name: 'Revoke it for good' })
  await expect(revoke).toBeEnabled()
  const pressed = Date.now()
  await revoke.click()
  await expect
    .poll(async () => await read(client, join(notes, 'today.txt')), { intervals: [20] })
    .toEqual(refusal('Revoked'))
  testInfo.annotations.push({
    type: 'from the press to the refusal',
    description: `${Date.now() - pressed} ms`,
  })
  expect(await read(helper, join(notes, 'today.txt'))).toEqual(refusal('Revoked'))
  await expect(article.getByText('Your relay has it.')).toBeVisible()
  await Promise.all([client.close(), helper.close()])
  expect(JSON.parse(await readFile(join(at.folder, 'keyhole-gate.json'), 'utf8'))).toMatchObject({
    relay: `${origin}/relay`,
  })
})

test('an agent asks where a call is refused, and goes on once the person has granted it in the vault', async ({
  page,
  baseURL,
}) => {
  const { origin } = new URL(baseURL ?? '')
  const { did } = await makeVault(page)
  const at = await home()
  const notes = join(at.folder, 'notes')
  await mkdir(notes)
  for (const name of ['today.txt', 'tomorrow.txt']) await writeFile(join(notes, name), `of ${name}`)
  const gate = ['gate', 'init', '--owner', did, '--vault', origin, '--', process.execPath, FILES, at.folder]
  expect(await at.run(gate)).toMatchObject({ code: 0 })
  await granted(page, at, ['gate', 'follow'])

  /** Grants what a link asks for. */
  const grant = async (link: string) => {
    const tab = await page.context().newPage()
    await tab.goto(link)
    await expect(tab.getByTestId('short-code')).not.toBeEmpty()
    const code = await tab.getByTestId('short-code').innerText()
    await approve(tab.getByRole('button', { name: 'Grant it' }))
    await expect(tab.getByText('Answer sent')).toBeVisible()
    await tab.close()
    return code
  }

  // A client that opens links: the call waits for the person.
  const opening = await connected(at, [], async (link, message) => {
    const code = await grant(link)
    expect(message).toContain(code)
  })
  expect(JSON.stringify(await read(opening, join(notes, 'today.txt')))).toContain('of today.txt')
  await opening.close()

  // One that only shows them: the grant comes to the agent, which makes the call again.
  const showing = await connected(at)
  const refused = await read(showing, join(notes, 'tomorrow.txt'))
  expect(refused).toEqual(refusal('MatchError'))
  const { request } = Object(refused.structuredContent)
  expect(await grant(String(request))).toBe(Object(refused.structuredContent).code)
  await expect
    .poll(async () => JSON.stringify(await read(showing, join(notes, 'tomorrow.txt'))))
    .toContain('of tomorrow.txt')
  await showing.close()
})
