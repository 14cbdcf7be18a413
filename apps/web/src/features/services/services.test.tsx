// An introduction of a stranger, and granting from what a service offers, with the real enclave.
import { createHolder, memoryStore } from '@keyhole/holder'
import { makeSealKey } from '@keyhole/holder/seal'
import { forgetService, readServices } from '@keyhole/vault/services'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { moment } from '../../shared/words/when.ts'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { choose, press as pressEnabled } from '../../test/person.ts'
import { SeesAll } from '../../test/sees-all.ts'
import { Introduction } from './introduction.tsx'
import { OwnerAnswerCard } from './owner-answer-card.tsx'
import { ServiceGrantForm } from './service-grant-form.tsx'
import { ServiceOffers } from './service-offers.tsx'
import { ServiceTemplates } from './service-templates.tsx'

const { vault, show } = openVault()
beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', SeesAll)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const { id } of await vault().contacts.list()) await vault().contacts.remove(id)
})

const FIXED = 'You can’t change a vault that is open from its second copy.'
/** The vault says that it is open from its second copy. */
const fromItsCopy = () =>
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue({ ...vault().getSnapshot(), fromCopy: true })

/** A gate: a key that signs introductions. */
async function newGate(now = Date.now()) {
  const holder = createHolder({ store: memoryStore(), clock: () => now })
  const did = await holder.did()
  const text = async (said: object, command = '/service/introduce') => {
    const introduction = JSON.stringify(said)
    const { token } = await holder.invoke(command, { introduction }, { subject: did, expiresIn: 300 })
    return `keyhole-service-1.${token}`
  }
  return { did, text }
}
type Gate = Awaited<ReturnType<typeof newGate>>

const SCRIPT = '<img src=x onerror=alert(1)> "quoted” \u202etxt.exe'
const SAID = {
  name: 'Office gate',
  at: 1_800_000_000,
  address: 'https://gate.example',
  servers: [
    {
      name: 'files',
      tools: [
        {
          name: 'read_text_file',
          description: SCRIPT,
          schema: {
            type: 'object',
            properties: {
              path: { type: 'string', description: 'Where' },
              head: { type: 'number', minimum: 1 },
              mode: { type: 'string', enum: ['fast', 'slow'] },
            },
            required: ['path'],
          },
          paths: ['path'],
        },
      ],
    },
  ],
  services: [{ name: 'github', methods: ['GET', 'POST'], paths: ['/repos/me/*'] }],
}
const offeringTool = (tool: object) => ({ ...SAID, servers: [{ name: 'files', tools: [tool] }] })

const button = (name: string | RegExp) => screen.findByRole('button', { name }, { timeout: 20_000 })
const press = async (name: string | RegExp) => fireEvent.click(await button(name))
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
async function introduce(said: object, by: Gate) {
  const onSaved = vi.fn()
  const shown = show(<Introduction text={await by.text(said)} onSaved={onSaved} onLeave={() => {}} />)
  await screen.findByText('About this service', {}, { timeout: 20_000 })
  return { onSaved, ...shown }
}

test('an introduction says what it is, quotes what a stranger wrote, and is saved under a name that the owner chooses', async () => {
  const gate = await newGate()
  const { onSaved } = await introduce(SAID, gate)
  expect(screen.getByText(/Saving it doesn’t grant anything/)).toBeDefined()
  expect(document.body.textContent).toContain('<img src=x onerror=alert(1)> \\"quoted\\” \\u{202e}txt.exe')
  expect(document.querySelector('img[src="x"]')).toBeNull()
  await press('Save the service')
  expect(await screen.findByText('Enter a name.')).toBeDefined()
  await press('Use this name')
  await press('Save the service')
  await waitFor(() => expect(onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  expect(await vault().contacts.list()).toMatchObject([
    { name: 'Office gate', kind: 'service', dids: [gate.did], suggestedName: 'Office gate' },
  ])
  expect((await readServices(vault())).get(gate.did)).toMatchObject({ address: 'https://gate.example' })
  expect(await vault().tokens.list()).toEqual([])
})

test('it counts all that is offered, prompts and resources too', async () => {
  const [files] = SAID.servers
  const prompts = [{ name: 'sum_up', paths: [] }]
  const resources = [{ uri: 'doc://a' }, { uri: 'doc://b' }]
  const server = { ...files, prompts, resources, templates: [{ uri: 'doc://{id}' }], moreOthers: 4 }
  const { unmount } = await introduce({ ...SAID, servers: [server] }, await newGate())
  const words = '1 tool, 1 API, 1 prompt, 3 resources, 4 more prompts or resources'
  expect(document.body.textContent).toContain(words)
  unmount()
  await introduce(SAID, await newGate())
  expect(screen.getByText('1 tool, 1 API')).toBeDefined()
})

test('a name that looks like another contact’s is warned of', async () => {
  await vault().contacts.save({ name: 'Office gate', kind: 'service', dids: [STRANGER] })
  await introduce({ ...SAID, name: 'Оffice gate' }, await newGate())
  await press('Use this name')
  expect(await screen.findByText(/You have a contact that looks like this/)).toBeDefined()
})

test('a key that is a contact under another name keeps that name', async () => {
  const gate = await newGate()
  await vault().contacts.save({ name: 'Bob', dids: [gate.did] })
  const { onSaved } = await introduce(SAID, gate)
  expect(await screen.findByText(/You know this key as/)).toBeDefined()
  expect(screen.queryByLabelText('Name')).toBeNull()
  await press('Save what it offers')
  await waitFor(() => expect(onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Bob', kind: 'service' }])
})

test('a later introduction says what is different, and an earlier one changes nothing', async () => {
  const gate = await newGate()
  const first = await introduce(SAID, gate)
  await press('Use this name')
  await press('Save the service')
  await waitFor(() => expect(first.onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  first.unmount()
  const [server] = SAID.servers
  const tools = [
    { ...server?.tools[0], description: 'Deletes everything' },
    { name: 'new', paths: [] },
  ]
  const later = await introduce({ ...SAID, at: SAID.at + 9, servers: [{ name: 'files', tools }] }, gate)
  expect(await screen.findByText('Its description has changed.')).toBeDefined()
  expect(screen.getByText('files: read_text_file')).toBeDefined()
  expect(screen.getByText('files: new')).toBeDefined()
  later.unmount()
  const earlier = await introduce({ ...SAID, at: SAID.at - 9 }, gate)
  await press('Save what it offers')
  expect(await screen.findByText(/You have a newer introduction/, {}, { timeout: 20_000 })).toBeDefined()
  expect(earlier.onSaved).not.toHaveBeenCalled()
})

test('an earlier introduction makes no contact, and changes none', async () => {
  const gate = await newGate()
  const first = await introduce(SAID, gate)
  await press('Use this name')
  await press('Save the service')
  await waitFor(() => expect(first.onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  first.unmount()
  const [contact] = await vault().contacts.list()
  await vault().contacts.save({ id: contact?.id ?? '', kind: 'agent' })
  const known = await introduce({ ...SAID, at: SAID.at - 9 }, gate)
  await press('Save what it offers')
  await screen.findByText(/This one changed nothing/, {}, { timeout: 20_000 })
  expect(await vault().contacts.list()).toMatchObject([{ kind: 'agent' }])
  known.unmount()
  await vault().contacts.remove(contact?.id ?? '')
  await introduce({ ...SAID, at: SAID.at - 9 }, gate)
  await press('Use this name')
  await press('Save the service')
  await screen.findByText(/This one changed nothing/, {}, { timeout: 20_000 })
  expect(await vault().contacts.list()).toEqual([])
})

test.each<[string, () => Promise<string>, RegExp]>([
  ['a text that introduces no one', async () => 'keyhole-service-1.abc', /part of it is missing/],
  ['one that is far too long', async () => `keyhole-service-1.${'C'.repeat(200_000)}`, /too long/],
  [
    'one signed for something else',
    async () => await (await newGate()).text(SAID, '/msg/send'),
    /isn’t signed by the service/,
  ],
  [
    'one from last month',
    async () => await (await newGate(1_700_000_000_000)).text(SAID),
    /more than a week old/,
  ],
  [
    'one that is nested too deep',
    async () => {
      const schema = JSON.parse(`${'{"not":'.repeat(99)}{}${'}'.repeat(99)}`)
      return await (await newGate()).text(offeringTool({ name: 'deep', paths: [], schema }))
    },
    /more than 64 levels/,
  ],
  [
    'one in another form',
    async () => await (await newGate()).text({ ...SAID, name: '' }),
    /isn’t in the form that Keyhole knows/,
  ],
])('%s is refused in words', async (_, from, words) => {
  show(<Introduction text={await from()} onSaved={() => {}} onLeave={() => {}} />)
  expect(await screen.findByText('This introduction was refused.', {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.getByText(words)).toBeDefined()
})

test('pressing without an introduction says to paste one', async () => {
  show(<Introduction text={undefined} onSaved={() => {}} onLeave={() => {}} />)
  await press('Read it')
  expect(await screen.findByText('Paste the link first.')).toBeDefined()
  fill('Link from the service', 'keyhole-service-1.')
  expect(screen.queryByText('Paste the link first.')).toBeNull()
})

test('a vault that is open from its second copy says beside the button why no service is saved', async () => {
  const text = await (await newGate()).text(SAID)
  fromItsCopy()
  show(<Introduction text={text} onSaved={() => {}} onLeave={() => {}} />)
  const fixed = await button('Save the service')
  expect([fixed.getAttribute('aria-disabled'), fixed.title]).toEqual(['true', FIXED])
  expect(screen.getByText(FIXED)).toBeDefined()
})

/** Saves what a new service says, and begins a grant of what it offers. */
async function granting(said: object, offer: string) {
  const { onSaved, unmount } = await introduce(said, await newGate())
  await press('Use this name')
  await press('Save the service')
  await waitFor(() => expect(onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  unmount()
  const contact = (await vault().contacts.list()).at(-1)
  if (!contact) throw new Error('There is no contact.')
  show(<ServiceOffers contact={contact} />)
  await press(`Grant ${offer}`)
}

test('a grant of a tool has its limits by field, and says them before it is signed', async () => {
  await granting(SAID, 'read_text_file')
  expect(
    screen.getByText(/This grant is for any server with this name\. It works at each of your gates/),
  ).toBeDefined()
  fill('Who', STRANGER)
  // The folder is asked for: a grant of a whole disk is never what an empty field means.
  await press('Sign the grant')
  expect(await screen.findByText('Enter a path.')).toBeDefined()
  expect(await vault().tokens.list()).toEqual([])
  fill('Folder of “path”', '/home/me/notes')
  const told = screen.getByRole('region', { name: 'What you are about to sign' })
  for (const words of ['files', 'read_text_file', '/home/me/notes/'])
    expect(within(told).getByText(new RegExp(words.replaceAll('/', '\\/')), { exact: false })).toBeDefined()
  await press('Sign the grant')
  expect(await screen.findByText('Signed and stored', {}, { timeout: 20_000 })).toBeDefined()
  const [grant] = await vault().tokens.list()
  expect(grant).toMatchObject({ command: '/mcp/tools/call', audienceDid: STRANGER })
  expect(grant?.policy).toEqual([
    ['==', '.server', 'files'],
    ['==', '.name', 'read_text_file'],
    ['like', '.arguments.path', '/home/me/notes/*'],
  ])
})

test.each([
  ['nothing', {}],
  ['an object without a list', { schema: { type: 'object' } }],
])('a tool that describes %s may take more than is listed', async (_, described) => {
  await granting(offeringTool({ name: 'any', paths: [], ...described }), 'any')
  expect(screen.getByText(/It may take arguments that aren’t listed here/)).toBeDefined()
  expect(screen.queryByText('It takes no arguments.')).toBeNull()
})

test('a path that can’t be limited here is left open only by saying so', async () => {
  const properties = {
    edits: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
  }
  await granting(
    offeringTool({ name: 'edit', paths: ['path'], schema: { type: 'object', properties } }),
    'edit',
  )
  const signed = (await vault().tokens.list()).length
  fill('Who', STRANGER)
  await press('Sign the grant')
  expect(await screen.findByText(/don’t grant it/)).toBeDefined()
  expect(await vault().tokens.list()).toHaveLength(signed)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Leave these paths open' }))
  await press('Sign the grant')
  expect(await screen.findByText('Signed and stored', {}, { timeout: 20_000 })).toBeDefined()
})

test('a grant of an API says what its path doesn’t limit', async () => {
  await granting(SAID, 'github')
  expect(
    screen.getByText(/This grant is for any API with this name\. It works at each of your gates/),
  ).toBeDefined()
  expect(screen.getByText('The query may be anything.')).toBeDefined()
  await choose('What they can do', 'Change things (POST)')
  expect(await screen.findByText('Query and body may be anything.')).toBeDefined()
})

const LOOPBACK = { loopback: 'http://127.0.0.1:4173/AAAAAAAAAAAAAAAAAAAAAA' }
const NUMBERS = ['one', 'two', 'three', 'four']
let saved = 0
/** Saves a service that waits for its owner. */
async function saveWaiting(reply: object) {
  const gate = await newGate()
  // A name of its own: contacts that a test removed may still be shown when the next one begins.
  const { onSaved, unmount } = await introduce({ ...SAID, name: `Gate ${NUMBERS[saved++]}`, reply }, gate)
  await press('Use this name')
  await press('Save the service')
  await screen.findByText('This gate is waiting for its owner', {}, { timeout: 20_000 })
  // Nothing says that nothing is granted beside a button that may sign a grant.
  expect(screen.getByText(/^Saved as Gate/)).toBeDefined()
  expect(screen.queryByText('Nothing was granted.')).toBeNull()
  return { onSaved, unmount }
}

test('a gate that waits for its owner is answered after it was saved, and the code stays on screen', async () => {
  vi.stubGlobal('fetch', async () => new Response(null))
  const { onSaved } = await saveWaiting(LOOPBACK)
  const { did = '' } = vault().getSnapshot().keys[0] ?? {}
  expect(await screen.findByText(/Without a relay/)).toBeDefined()
  expect(screen.getByText('http://127.0.0.1:4173')).toBeDefined()
  expect(document.body.textContent).toContain(did)
  expect(document.body.textContent).toMatch(
    /Gate \w+ \(….{4}\) is told that you \(did:key:z6Mk\S+\) are its owner/,
  )
  expect(screen.queryByText(/see which grants were revoked/)).toBeNull()
  const sign = await button('Sign as the owner')
  expect([sign.getAttribute('aria-disabled'), sign.title]).toEqual([
    'true',
    'Look at all of it first. A moment later, this works.',
  ])
  fireEvent.click(sign)
  await pressEnabled('Sign as the owner')
  const link = await screen.findByRole('link', { name: 'Send it to the gate' }, { timeout: 20_000 })
  expect(link.getAttribute('rel')).toContain('noopener')
  const [place, answer = ''] = link.getAttribute('href')?.split('#keyhole-answer-1.') ?? []
  expect(place).toBe(LOOPBACK.loopback)
  const { token } = JSON.parse(Buffer.from(answer, 'base64url').toString())
  expect(await vault().tokens.validate({ invocation: token })).toMatchObject({
    valid: true,
    issuer: did,
    command: '/service/own',
  })
  expect(screen.queryByTestId('owner-code')).toBeNull()
  link.addEventListener('click', (event) => event.preventDefault())
  fireEvent.click(link)
  expect((await screen.findByTestId('owner-code')).textContent).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  expect(onSaved).not.toHaveBeenCalled()
  await press('Done')
  expect(onSaved).toHaveBeenCalled()
})

test('a vault that is open from its second copy says beside the button why no gate is answered', async () => {
  vi.stubGlobal('fetch', async () => new Response(null))
  const introduced = { ...SAID, services: [], servers: [], did: STRANGER, json: '', text: '' }
  fromItsCopy()
  show(<OwnerAnswerCard introduced={introduced} to={LOOPBACK} onLeave={() => {}} />)
  const fixed = await button('Sign as the owner')
  expect([fixed.getAttribute('aria-disabled'), fixed.title]).toEqual(['true', FIXED])
  expect(screen.getByText(FIXED)).toBeDefined()
})

test('a gate whose mailbox was filled by someone else gets no code confirmed', async () => {
  const posted: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit = {}) => {
    if (method !== 'POST') return new Response(null, { headers: { 'Keyhole-Relay': '/relay' } })
    posted.push(url)
    return new Response(null, { status: 409 })
  })
  const relay = `${location.origin}/relay`
  const key = Buffer.from((await makeSealKey()).publicKey).toString('base64url')
  await saveWaiting({ relay, mailbox: STRANGER, key })
  const told = await screen.findByRole('region', { name: 'What you are about to sign' })
  const inAYear = new Date(Date.now() + 31_536_000_000).getFullYear()
  await waitFor(() =>
    expect(told.textContent).toMatch(
      new RegExp(
        `^What you are about to signYou let Gate \\w+ \\(….{4}\\) see which grants were revoked, .*, until .*${inAYear}`,
      ),
    ),
  )
  expect(told.textContent).toMatch(/Gate \w+ \(….{4}\) is told that you \(did:key:z6Mk\S+\) are its owner/)
  const until = told.textContent
  await pressEnabled('Sign as the owner')
  expect(await screen.findByText('It already has another answer', {}, { timeout: 20_000 })).toBeDefined()
  expect(posted).toEqual([`${relay}/mailboxes/message`])
  const grant = (await vault().tokens.list()).find(({ command }) => command === '/relay/revocations/read')
  expect(until).toContain(moment(grant?.expiresAt ?? 0))
  expect(screen.queryByTestId('owner-code')).toBeNull()
})

test('a gate that is not answered learns nothing, and one at another relay can’t be answered', async () => {
  const asked = vi.fn(async () => new Response(null))
  vi.stubGlobal('fetch', asked)
  const signed = (await vault().tokens.list()).length
  const { onSaved, unmount } = await saveWaiting(LOOPBACK)
  await press('Don’t answer')
  expect(onSaved).toHaveBeenCalled()
  unmount()
  await saveWaiting({ relay: 'https://evil.example/relay', mailbox: STRANGER, key: 'A'.repeat(43) })
  expect(screen.getByText('https://evil.example')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Sign as the owner' })).toBeNull()
  expect(await vault().tokens.list()).toHaveLength(signed)
  for (const [url] of asked.mock.calls as unknown as [string][]) expect(url).toBe('/manifest.webmanifest')
})

test('what saved services offer comes before made-up cases, with the folders that they suggest', async () => {
  for (const did of (await readServices(vault())).keys()) await forgetService(vault(), did)
  const onPick = vi.fn()
  const parts = { onPick, otherwise: <p>made up</p>, beside: <p>others</p> }
  const none = show(<ServiceTemplates {...parts} />)
  expect(await screen.findByText('made up')).toBeDefined()
  none.unmount()
  const [files] = SAID.servers
  const said = { ...SAID, servers: [{ ...files, suggest: ['/home/me/letters/*'] }] }
  const { onSaved, unmount } = await introduce(said, await newGate())
  await press('Use this name')
  await press('Save the service')
  await waitFor(() => expect(onSaved).toHaveBeenCalled(), { timeout: 20_000 })
  unmount()
  const shown = show(<ServiceTemplates {...parts} />)
  const group = await screen.findByRole('group', { name: 'Office gate' }, { timeout: 20_000 })
  expect(
    within(group)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['read_text_file', 'API “github”'])
  expect(screen.queryByText('made up')).toBeNull()
  expect(screen.getByText('others')).toBeDefined()
  fireEvent.click(within(group).getByRole('button', { name: 'read_text_file' }))
  const [picked] = onPick.mock.calls[0] ?? []
  shown.unmount()
  const signed = (await vault().tokens.list()).length
  show(<ServiceGrantForm {...picked} audience={STRANGER} onClose={() => {}} />)
  await press('/home/me/letters/*')
  expect(screen.getByLabelText('Folder of “path”')).toHaveProperty('value', '/home/me/letters/*')
  await press('Sign the grant')
  expect(await screen.findByText('Signed and stored', {}, { timeout: 20_000 })).toBeDefined()
  const [grant, ...others] = await vault().tokens.list()
  expect(others).toHaveLength(signed)
  expect(grant).toMatchObject({ audienceDid: STRANGER })
  expect(grant?.policy).toContainEqual(['like', '.arguments.path', '/home/me/letters/*'])
})

test.each([
  ['a prompt', 'sum_up', '/mcp/prompts/get', ['==', '.name', 'sum_up']],
  ['a resource', 'doc://letters/1', '/mcp/resources/read', ['==', '.uri', 'doc://letters/1']],
  ['a template', 'doc://*/{year}/{id}?{q}', '/mcp/resources/read', ['like', '.uri', 'doc://\\*/*/*?*']],
])('%s is granted as a tool is', async (_, name, command, statement) => {
  const schema = { type: 'object', properties: { of: { type: 'string' } }, additionalProperties: false }
  const prompts = [{ name: 'sum_up', schema, paths: [] }]
  const resources = [{ uri: 'doc://letters/1', description: SCRIPT }]
  const templates = [{ uri: 'doc://*/{year}/{id}?{q}', description: SCRIPT }]
  await granting({ ...SAID, servers: [{ name: 'files', tools: [], prompts, resources, templates }] }, name)
  fill('Who', STRANGER)
  await press('Sign the grant')
  expect(await screen.findByText('Signed and stored', {}, { timeout: 20_000 })).toBeDefined()
  const [grant] = await vault().tokens.list()
  expect(grant).toMatchObject({ command, policy: [['==', '.server', 'files'], statement] })
})
