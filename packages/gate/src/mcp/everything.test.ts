// The official server that has one of everything: tools, resources and prompts.
import { expect, it } from 'vitest'
import { connect, everythingServer, holderWith, open, textOf } from '../test/parts.ts'

it('lists and gives the resources and prompts that were granted', async () => {
  const opened = await open({ all: everythingServer() })
  const whole = await connect(opened, 'all', await holderWith({ cmd: '/mcp' }))
  const { resources } = await whole.listResources()
  const { prompts } = await whole.listPrompts()
  const { tools } = await whole.listTools()
  expect(resources.length).toBeGreaterThan(1)
  expect(prompts.length).toBeGreaterThan(1)
  expect(tools.length).toBeGreaterThan(5)
  const uri = resources[0]?.uri ?? ''
  const pol = [['==', '.uri', uri]] as never
  const some = await connect(
    opened,
    'all',
    await holderWith(
      { cmd: '/mcp/resources/read', pol },
      { cmd: '/mcp/prompts/get', pol: [['==', '.name', prompts[0]?.name ?? '']] as never },
    ),
  )
  expect((await some.listResources()).resources.map((each) => each.uri)).toEqual([uri])
  expect((await some.listPrompts()).prompts.map(({ name }) => name)).toEqual([prompts[0]?.name])
  expect((await some.listTools()).tools.map(({ name }) => name)).toEqual(['keyhole_ask'])
  expect((await some.readResource({ uri })).contents).toEqual((await whole.readResource({ uri })).contents)
  expect((await some.getPrompt({ name: prompts[0]?.name ?? '' })).messages.length).toBeGreaterThan(0)
  await expect(some.readResource({ uri: resources[1]?.uri ?? '' })).rejects.toMatchObject({
    code: -32_003,
    data: { error: 'MatchError' },
  })
  await expect(some.getPrompt({ name: prompts[1]?.name ?? '' })).rejects.toMatchObject({ code: -32_003 })
  expect(textOf(await whole.callTool({ name: 'echo', arguments: { message: 'hello' } }))).toContain('hello')
})

it.each([
  'demo://x/../y',
  'demo://x/%2e%2e/y',
  'demo://x/%2Fy',
  'file:///etc/../etc/passwd',
  'demo://x y',
  'x',
  '',
])('refuses a URI that could be read in two ways: %s', async (uri) => {
  const client = await connect(
    await open({ all: everythingServer() }),
    'all',
    await holderWith({ cmd: '/mcp' }),
  )
  await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { error: 'UnclearPath' } })
})
