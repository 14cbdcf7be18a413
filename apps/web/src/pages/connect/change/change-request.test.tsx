// What an agent asks of a tool can be limited by the fields that a saved service describes, with the real enclave.
import { createHolder, memoryStore } from '@keyhole/holder'
import { forgetService, readIntroduction, saveService } from '@keyhole/vault/services'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openVault, STRANGER } from '../../../test/open-vault.tsx'
import { choose, fill, press } from '../../../test/person.ts'
import { SeesAll } from '../../../test/sees-all.ts'
import { CapabilityForm } from '../capability-form.tsx'
// What the form loads later, so that no test waits for a busy machine to compile it.
import './chunk.ts'
import '../../../features/services/chunk.ts'

const { vault, show } = openVault()
const saved: string[] = []

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', SeesAll)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const did of saved.splice(0)) await forgetService(vault(), did)
  for (const { id } of await vault().contacts.list()) await vault().contacts.remove(id)
})

const TOOL = {
  name: 'read_text_file',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where “it” is\u202e' },
      head: { type: 'integer' },
      tail: { type: 'integer' },
    },
  },
  paths: ['path'],
}

/** How a service introduces itself that offers a tool. */
async function introduction(name: string, tool: object = TOOL, server = 'files') {
  const holder = createHolder({ store: memoryStore() })
  const did = await holder.did()
  const said = JSON.stringify({
    ...{ name, at: 1_800_000_000, services: [] },
    servers: [{ name: server, tools: [tool] }],
  })
  const { token } = await holder.invoke(
    '/service/introduce',
    { introduction: said },
    { subject: did, expiresIn: 300 },
  )
  return { did, text: `keyhole-service-1.${token}` }
}

/** A saved service that offers a tool. */
async function saveGate(...given: Parameters<typeof introduction>) {
  const { did, text } = await introduction(...given)
  const [name] = given
  const read = await readIntroduction(vault(), text)
  if ('problem' in read) return expect.fail(read.problem)
  await saveService(vault(), read.introduced)
  await vault().contacts.save({ name, kind: 'service', dids: [did] })
  saved.push(did)
  return did
}

const ASKED = [
  ['==', '.server', 'files'],
  ['==', '.name', 'read_text_file'],
  ['==', '.arguments["tail"]', 3],
]

function ask(service?: string, policy: readonly unknown[] = ASKED) {
  const onGranted = vi.fn(async () => {})
  const request = {
    kind: 'capability' as const,
    command: '/mcp/tools/call',
    ...{ audience: STRANGER, policy: [...policy], expiresIn: 3_600, reason: '' },
  }
  show(
    <CapabilityForm
      {...{ request, origin: undefined, name: undefined, replyTo: undefined, service, onGranted }}
      onDeclined={() => {}}
    />,
  )
  return onGranted
}

const group = (field: string) => screen.findByRole('group', { name: `Limit of “${field}”` })
/** A call may send, so a switch comes before the grant. It is enabled once everything was in view. */
const consent = () => screen.getByRole('switch')
const isReady = () => consent().getAttribute('aria-disabled') !== 'true'

test('the fields of a tool that a saved service describes are limits on top of what was asked', async () => {
  await saveGate('Office gate')
  const onGranted = ask()
  expect(await group('path')).toBeDefined()
  const source = 'These fields and their descriptions come from Office gate'
  // Contacts are read after the fields.
  await waitFor(() => expect(document.body.textContent).toContain(source))
  expect(document.body.textContent).toContain('\\u{202e}')
  // The request sets it already: it can only be granted more widely.
  const foldOf = async (field: string) =>
    (await group(field)).closest('details')?.querySelector('summary')?.textContent
  expect(await foldOf('tail')).toBe('Allow more than requested')
  expect(await foldOf('path')).not.toBe('Allow more than requested')
  await waitFor(() => expect(isReady()).toBe(true))
  fireEvent.click(consent())
  expect(consent().getAttribute('aria-checked')).toBe('true')
  await choose('What “path” may be', 'Everything in this folder')
  // It was begun, and isn't part of any grant yet.
  await waitFor(() => expect(isReady()).toBe(false))
  await fill('Folder of “path”', '/home/me/notes')
  const sentence = document.querySelector('[data-slot=sentence]')
  await waitFor(() => expect(sentence?.textContent).toContain('/home/me/notes'))
  // What was approved was something else.
  expect(consent().getAttribute('aria-checked')).toBe('false')
  await waitFor(() => expect(isReady()).toBe(true))
  fireEvent.click(consent())
  await press('Grant it')
  await waitFor(() => expect(onGranted).toHaveBeenCalled())
  const [grant] = await vault().tokens.list()
  expect(grant).toMatchObject({ policy: [...ASKED, ['like', '.arguments.path', '/home/me/notes/*']] })
})

test('editing the policy keeps what was chosen by field, and what was begun', async () => {
  await saveGate('Office gate')
  ask()
  await choose('What “head” may be', 'Numbers in a range')
  await fill('At most', '10')
  await choose('What “path” may be', 'Exactly this')
  const text = await waitFor(() => screen.getByLabelText<HTMLTextAreaElement>('The exact policy'))
  await waitFor(() => expect(JSON.parse(text.value)).toEqual([...ASKED, ['<=', '.arguments.head', 10]]))
  const edited = [...JSON.parse(text.value), ['<', '.arguments.head', 5]]
  fireEvent.change(text, { target: { value: JSON.stringify(edited) } })
  await waitFor(() => expect(JSON.parse(text.value)).toEqual(edited))
  expect(isReady()).toBe(false)
  await fill('Value of “path”', '/a')
  await waitFor(() => expect(JSON.parse(text.value)).toEqual([...edited, ['==', '.arguments.path', '/a']]))
  await waitFor(() => expect(isReady()).toBe(true))
})

test('of several services that describe a tool, each is named as the source of its own words', async () => {
  await saveGate('Office gate')
  const other = { ...TOOL, schema: { type: 'object', properties: { file: { type: 'string' } } }, paths: [] }
  await saveGate('Home gate', other)
  ask()
  const names = (await screen.findByText(/These fields and their descriptions come from/)).textContent
  const isOne = names?.includes('Office gate')
  expect(await group(isOne ? 'path' : 'file')).toBeDefined()
  await choose('Services that describe it', isOne ? 'Home gate' : 'Office gate')
  expect(await group(isOne ? 'file' : 'path')).toBeDefined()
})

test('only services with the same server and tool describe it', async () => {
  await saveGate('Office gate', { ...TOOL, name: 'write_file' })
  await saveGate('Mail gate', TOOL, 'mail')
  await saveGate('Home gate')
  ask()
  expect(await screen.findByText(/These fields and their descriptions come from/)).toBeDefined()
  await waitFor(() => expect(document.body.textContent).toContain('come from Home gate'))
  expect(screen.queryByLabelText('Services that describe it')).toBeNull()
})

test('a service that came with the request describes it too, and is told from one that was saved', async () => {
  const { text } = await introduction('Office\u202e gate')
  ask(text)
  expect(await group('path')).toBeDefined()
  expect(screen.getByText(/^You haven’t saved this service/)).toBeDefined()
  expect(document.body.textContent).toContain('come from Unknown key')
})

test('of a service that was saved, the words that came with a request are left aside', async () => {
  const { did, text } = await introduction('Office gate')
  const read = await readIntroduction(vault(), text)
  if ('problem' in read) return expect.fail(read.problem)
  await saveService(vault(), read.introduced)
  saved.push(did)
  ask(text)
  expect(await group('path')).toBeDefined()
  expect(screen.queryByText(/^You haven’t saved this service/)).toBeNull()
  expect(screen.queryByLabelText('Services that describe it')).toBeNull()
})

test.each(['keyhole-service-1.AAAA', undefined])(
  'without a service that can be read nothing is described: %s',
  async (text) => {
    ask(text)
    await screen.findByLabelText('The exact policy')
    expect(screen.queryByText(/These fields and their descriptions/)).toBeNull()
  },
)

test('a field that the request sets to one value can be granted more widely, and only that', async () => {
  await saveGate('Office gate')
  const onGranted = ask(undefined, [
    ...ASKED.slice(0, 2),
    ['==', '.arguments.path', '/home/me/notes/a.txt'],
    ['==', '.arguments["tail"]', 3],
  ])
  fireEvent.click(await screen.findByText('Allow more than requested'))
  await choose('What “path” may be', 'Everything in this folder')
  expect(isReady()).toBe(false)
  await fill('Folder of “path”', '/home/me/notes')
  const text = await waitFor(() => screen.getByLabelText<HTMLTextAreaElement>('The exact policy'))
  const wider = ['like', '.arguments.path', '/home/me/notes/*']
  await waitFor(() => expect(JSON.parse(text.value)).toEqual([...ASKED, wider]))
  await choose('What “tail” may be', 'Anything')
  await waitFor(() => expect(JSON.parse(text.value)).toEqual([...ASKED.slice(0, 2), wider]))
  await choose('What “tail” may be', 'As in the request')
  await waitFor(() => expect(JSON.parse(text.value)).toEqual([...ASKED, wider]))
  await waitFor(() => expect(isReady()).toBe(true))
  fireEvent.click(consent())
  await press('Grant it')
  await waitFor(() => expect(onGranted).toHaveBeenCalled())
  expect((await vault().tokens.list()).map(({ policy }) => policy)).toContainEqual([...ASKED, wider])
})
