import { createEnclave } from '@keyhole/enclave'
import { createHolder, memoryStore } from '@keyhole/holder'
import { expect, it, vi } from 'vitest'
import { everythingServer, filesServer, folder, hostileServer, open, SECRET, VAULT } from '../test/parts.ts'
import { introduceTool } from './introduce-tool.ts'
import { INTRODUCTION, type Introduction, introductionText, LONGEST_INTRODUCTION } from './introduction.ts'

/** What is signed in an introduction, as the vault's enclave reads it. */
async function signedIn(text: string, audience: string) {
  const enclave = await createEnclave({ keyless: true })
  try {
    const invocation = text.slice(INTRODUCTION.length)
    return Object(await enclave.call('validate_invocation', { invocation, audience }))
  } finally {
    await enclave.close()
  }
}

it('is signed by the gate, and says what it offers with schemas', async () => {
  const notes = await folder()
  const files = { ...filesServer(notes), suggest: [`${notes}/*`] }
  const { gate } = await open({ files }, undefined, {
    services: {
      github: { url: 'https://api.github.example', methods: ['GET', 'POST'], suggest: ['/repos/me/*'] },
    },
  })
  const { text, link, missing } = await gate.introduce({ name: 'Office', address: 'https://gate.example' })
  expect(missing.size).toBe(0)
  expect(link).toBe(`${VAULT}/identity?tab=contacts#${text}`)
  const signed = await signedIn(text, gate.did)
  expect(signed).toMatchObject({
    valid: true,
    command: '/service/introduce',
    subject: gate.did,
    issuer: gate.did,
  })
  const said: Introduction = JSON.parse(signed.args.introduction)
  expect(said).toMatchObject({ name: 'Office', address: 'https://gate.example' })
  expect(said.services).toEqual([{ name: 'github', methods: ['GET', 'POST'], paths: ['/repos/me/*'] }])
  const [server] = said.servers
  expect(server).toMatchObject({ name: 'files', suggest: [`${notes}/*`] })
  expect(server?.tools.find(({ name }) => name === 'read_text_file')).toMatchObject({
    description: expect.stringContaining('Read'),
    schema: { properties: { path: { type: 'string' } }, required: ['path'] },
    paths: ['path'],
  })
  expect(server?.tools.find(({ name }) => name === 'move_file')?.paths).toEqual(['source', 'destination'])
}, 60_000)

it('says which prompts, resources and templates a server has, with the arguments of a prompt as a schema', async () => {
  const { gate } = await open({ all: everythingServer() })
  const signed = await signedIn((await gate.introduce({ name: 'Office' })).text, gate.did)
  const [server] = JSON.parse(signed.args.introduction).servers
  const asking = server.prompts.find(({ schema }: { schema: object }) =>
    JSON.stringify(schema).includes('"required":["'),
  )
  expect(asking).toMatchObject({
    name: expect.any(String),
    schema: { type: 'object', additionalProperties: false },
    paths: [],
  })
  for (const { type } of Object.values<{ type: string }>(asking.schema.properties))
    expect(type).toBe('string')
  expect(server.resources.length).toBeGreaterThan(0)
  for (const { uri } of server.resources) expect(uri).toMatch(/^[a-z][a-z0-9+.-]*:/)
  expect(server.templates.length).toBeGreaterThan(0)
  for (const { uri } of server.templates) expect(uri).toMatch(/^[a-z][a-z0-9+.-]*:.*\{\w+\}/)
}, 60_000)

it('leaves out a server that gives no list, and a secret that one shows', async () => {
  const { gate } = await open({
    broken: { command: process.execPath, args: ['-e', ''] },
    odd: hostileServer(),
    listless: hostileServer({ NO_LIST: '1' }),
  })
  const { text, missing } = await gate.introduce({ name: 'Office' })
  expect([...missing.keys()].sort()).toEqual(['broken', 'listless'])
  expect(missing.get('listless')).toContain('401 for [credential removed]')
  const signed = await signedIn(text, gate.did)
  expect(signed.valid).toBe(true)
  expect(JSON.parse(signed.args.introduction).servers).toMatchObject([{ name: 'odd' }])
  expect(signed.args.introduction).not.toContain(SECRET)
}, 60_000)

const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  description,
  schema: { type: 'object', properties },
  paths: [],
})
const offering = (tools: Introduction['servers'][number]['tools']): Introduction => ({
  name: 'Office',
  at: 1_800_000_000,
  servers: [{ name: 'many', tools }],
  services: [],
})
const read = (given: Introduction): Introduction => JSON.parse(introductionText(given))

it('is cut to its longest length, and counts the tools that are left out', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`field${at}`, { type: 'string', description: 'd'.repeat(500) }]),
  )
  const few = read(offering([tool('one', 'x'.repeat(5_000), fields)]))
  expect(few.servers[0]?.tools[0]).toMatchObject({
    description: `${'x'.repeat(599)}…`,
    schema: { properties: { field3: { type: 'string' } } },
  })
  const many = Array.from({ length: 500 }, (_, at) => tool(`tool${at}`, 'x'.repeat(5_000), fields))
  const text = introductionText(offering(many))
  expect(text.length).toBeLessThanOrEqual(LONGEST_INTRODUCTION)
  const [server] = JSON.parse(text).servers
  expect(server.tools.length + server.more).toBe(500)
  expect(server.tools.length).toBeGreaterThan(50)
})

it('gives up prompts and resources before tools, and counts them', () => {
  const long = 'x'.repeat(1_000)
  const resources = Array.from({ length: 150 }, (_, at) => ({
    uri: `doc://${at}/${long}`,
    description: long,
  }))
  const given = offering(Array.from({ length: 40 }, (_, at) => tool(`tool${at}`, long)))
  const templates = [{ uri: 'doc://{at}', description: long }]
  const servers = given.servers.map((each) => ({ ...each, resources, templates }))
  const [server] = read({ ...given, servers }).servers
  expect(server).toMatchObject({ moreOthers: 151 })
  expect(server).not.toHaveProperty('resources')
  expect(server).not.toHaveProperty('templates')
  expect(server?.tools).toHaveLength(40)
})

it('has every name and URI once, none of them empty, and counts what is left out', () => {
  const names = ['', 'a', 'b', 'a']
  const named = names.map((name, at) => tool(name, `the ${at}th`))
  const resources = names.map((name) => ({ uri: name && `doc://${name}` }))
  const given = offering(named)
  const servers = given.servers.map((each) => ({
    ...each,
    prompts: named,
    resources,
    templates: resources,
  }))
  const [server] = read({ ...given, servers }).servers
  const kept = [{ description: 'the 1th' }, { description: 'the 2th' }]
  expect(server).toMatchObject({ tools: kept, prompts: kept, more: 2, moreOthers: 6 })
  expect(server?.templates).toEqual(server?.resources)
  expect(server?.resources).toEqual([{ uri: 'doc://a' }, { uri: 'doc://b' }])
})

it('keeps no schema in part: a tool whose schema is too long has none', () => {
  const huge = tool('huge', '', { a: { enum: Array.from({ length: 5_000 }, (_, at) => `value ${at}`) } })
  expect(read(offering([huge])).servers[0]?.tools[0]).toEqual({ name: 'huge', description: '', paths: [] })
})

it('keeps arguments that are called as parts of a schema are, and values that are compared', () => {
  const text = { type: 'string', examples: ['a'] }
  const kept = { type: 'string' }
  const named = (of: object) => ({ examples: of, $schema: of, description: of, properties: of })
  const schema = (of: object) => ({
    type: 'object',
    properties: {
      ...named(of),
      deep: { type: 'object', properties: named(of) },
      is: { const: { examples: 1 } },
    },
    patternProperties: named(of),
    $defs: named(of),
    definitions: named(of),
  })
  const given = {
    name: 'odd',
    paths: [],
    schema: { $schema: 'https://json-schema.example', examples: [{}], ...schema(text) },
  }
  expect(read(offering([given])).servers[0]?.tools[0]?.schema).toEqual(schema(kept))
})

it('has no schema that is deeper than a vault reads', () => {
  const deep = (levels: number): unknown => (levels === 1 ? {} : { not: deep(levels - 1) })
  const tools = [64, 65, 5_000].map((levels) => ({ name: `deep${levels}`, paths: [], schema: deep(levels) }))
  const schemas = read(offering(tools)).servers[0]?.tools.map(({ schema }) => schema !== undefined)
  expect(schemas).toEqual([true, false, false])
})

it.each([
  ['no name', { name: ' ' }],
  ['a name that is too long', { name: 'x'.repeat(61) }],
  ['an address without TLS', { address: 'http://gate.example' }],
  ['an address with a password', { address: 'https://me:secret@gate.example' }],
  ['an address with a query', { address: 'https://gate.example/?key=1' }],
])('is refused with %s', (_, changes) => {
  expect(() => introductionText({ ...offering([]), ...changes })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  )
})

it('describes one tool for a request, as briefly as an agent can pass it on', async () => {
  const { gate } = await open({ files: filesServer(await folder()) })
  const files = gate.servers.get('files')
  const describe = (name: string, command = '/mcp/tools/call') =>
    files?.describe?.(command, { server: 'files', name }, [])
  const text = (await describe('read_text_file')) ?? ''
  const said: Introduction = JSON.parse((await signedIn(text, gate.did)).args.introduction)
  expect(said.services).toEqual([])
  expect(said.servers).toMatchObject([
    { name: 'files', tools: [{ name: 'read_text_file', schema: { required: ['path'] }, paths: ['path'] }] },
  ])
  expect(said.servers[0]?.tools).toHaveLength(1)
  expect(await describe('read_text_file')).toBe(text)
  for (const { name } of (await files?.tools()) ?? []) {
    const each = await describe(name)
    expect(each, name).toMatch(/^keyhole-service-1\.[\w-]+$/)
    expect(each?.length, name).toBeLessThanOrEqual(2_048)
  }
  expect(await describe('no_such_tool')).toBeUndefined()
  expect(await describe('read_text_file', '/mcp/resources/read')).toBeUndefined()
}, 60_000)

it('describes a tool again after it could not be signed', async () => {
  const signer = createHolder({ store: memoryStore() })
  const introduce = introduceTool({ server: 'files', gate: await signer.did(), signer, clock: Date.now })
  const tool = { name: 'read', schema: { type: 'object' }, paths: [] }
  vi.spyOn(signer, 'invoke').mockRejectedValueOnce(new Error('The disk is gone'))
  await expect(introduce('tools', tool)).rejects.toThrow('The disk is gone')
  expect(await introduce('tools', tool)).toMatch(/^keyhole-service-1\./)
})
