// Prompts with arguments that are paths: what is offered is what the gate compares, and lets through.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect, folder, holderWith, hostileServer, open } from '../test/parts.ts'
import { signedCall } from '../test/signed.ts'

const PROMPTS = [
  { name: 'summarize', arguments: [{ name: 'path', required: true }] },
  { name: 'greet', arguments: [{ name: 'who', description: 'Whom' }] },
  { name: 'plain' },
]

/** A gate before a server with these prompts, and how one is got under a grant of all prompts. */
async function prompting(paths?: readonly string[], prompts: readonly object[] = PROMPTS) {
  const home = await folder()
  const seen = join(home, 'seen')
  const server = hostileServer({ SEEN: seen, PROMPTS: JSON.stringify(prompts) })
  const opened = await open({ bad: { ...server, paths } })
  const guarded = opened.gate.servers.get('bad')
  const get = async (name: string, given?: object) => {
    const args = { server: 'bad', name, ...(given && { arguments: given }) }
    const made = signedCall(opened.gate.did, '/mcp/prompts/get', args, { command: '/mcp/prompts/get' })
    return await guarded?.call(made).then(
      () => 'ok',
      (error) => error.code,
    )
  }
  const offered = async () => (await guarded?.offers())?.prompts ?? []
  const sent = async () => await readFile(seen, 'utf8').catch(() => '')
  return { opened, home, get, offered, sent }
}

it('are not there until the configuration says which of their arguments are paths', async () => {
  const { opened, home, get, offered, sent } = await prompting()
  expect((await offered()).map(({ name }) => name)).toEqual(['greet', 'plain'])
  const client = await connect(opened, 'bad', await holderWith({ cmd: '/mcp' }))
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet', 'plain'])
  for (const path of [`${home}/notes/../secret`, `${home}/secret`])
    expect(await get('summarize', { path })).toBe('UnknownTool')
  expect(await sent()).toBe('')
  expect(await get('greet', { who: 'me' })).toBe('ok')
})

it('get paths only as they are compared, once they are configured', async () => {
  const { home, get, offered, sent } = await prompting(['path'])
  expect(await offered()).toMatchObject([
    { name: 'summarize', paths: ['path'] },
    { paths: [] },
    { paths: [] },
  ])
  expect(await get('summarize', { path: `${home}/notes/../secret` })).toBe('UnclearPath')
  expect(await sent()).toBe('')
  expect(await get('summarize', { path: home })).toBe('ok')
})

it.each([
  ['greet', { who: 'me', path: '/etc/passwd' }],
  ['greet', { Who: 'me' }],
  ['plain', { who: 'me' }],
])('get no arguments beside those that are offered: %s', async (name, given) => {
  const { get, offered, sent } = await prompting([])
  expect((await offered()).find((prompt) => prompt.name === name)?.schema).toMatchObject({
    additionalProperties: false,
  })
  expect(await get(name, given)).toBe('UnknownArgument')
  expect(await sent()).toBe('')
  expect(await get(name)).toBe('ok')
})

it('are only those that the server lists', async () => {
  const { get, sent } = await prompting([])
  for (const name of ['Greet', '', 'constructor']) expect(await get(name)).toBe('UnknownTool')
  expect(await sent()).toBe('')
})

it('are offered once for a name, with the arguments that a call is held against', async () => {
  const twice = [
    { name: 'greet', arguments: [{ name: 'who' }] },
    { name: 'greet', arguments: [{ name: 'path' }] },
  ]
  const { get, offered } = await prompting(undefined, twice)
  expect(await offered()).toMatchObject([{ name: 'greet', schema: { properties: { who: {} } } }])
  expect(await get('greet', { path: '/etc/passwd' })).toBe('UnknownArgument')
})
