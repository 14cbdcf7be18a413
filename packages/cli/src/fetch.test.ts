// `keyhole fetch` for a call that the owner allows one by one, with a gate that runs as a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Value } from '../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, person } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'
import { grant, startApi, startGate } from './test/gate.ts'

const owner = person(1)

function toValue(from: unknown): Value {
  if (Array.isArray(from)) return from.map(toValue)
  if (typeof from === 'object' && from !== null)
    return new Map(Object.entries(from).map(([key, each]) => [key, toValue(each)]))
  return from as Value
}

it('asks for the call, makes it once, and asks again', async () => {
  let pushed = 0
  const api = createServer((_request, response) => {
    pushed += 1
    response.end('pushed')
  })
  await once(api.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void api.close())
  const { port } = api.address() as AddressInfo
  const at = await home()
  const services = {
    git: {
      url: `http://127.0.0.1:${port}`,
      private: true,
      methods: ['POST'],
      ask: [{ policy: [['==', '.path', '/push']] }],
      budgets: [{ per: 'month', calls: 2 }],
    },
  }
  const config = { owners: [owner.did], vault: 'https://vault.example', data: './gate', services }
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const args = ['gate', 'serve', '--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', '--json']
  const gate = spawn(process.execPath, [at.program, ...args], { cwd: at.folder, env: at.env })
  onTestFinished(() => void gate.kill())
  const [said] = await once(gate.stdout, 'data')
  const { url, metrics } = JSON.parse(String(said))

  const did = String((await at.json(['key'])).said.did)
  const add = async (pol: unknown = []) => {
    const token = delegation(owner, { ...owner, did }, { cmd: '/http/post', pol: toValue(pol) })
    expect((await at.run(['add'], container([token]))).code).toBe(0)
  }
  const push = () => at.json(['fetch', 'POST', '/push', '--body', '--gate', url], '{"branch": "main"}')
  await add()
  const refused = await push()
  expect(refused).toMatchObject({ code: 1, said: { error: { code: 'AskFirst' } } })
  const [, request = ''] = /#keyhole-request-1\.([\w-]+)/.exec(JSON.stringify(refused.said)) ?? []
  const { policy } = JSON.parse(Buffer.from(request, 'base64url').toString())
  expect(policy).toEqual(expect.arrayContaining([['==', '.body', { branch: 'main' }]]))
  await add(policy)
  expect(await push()).toMatchObject({ code: 0, said: { status: 200, body: 'pushed' } })
  expect(await push()).toMatchObject({ code: 1, said: { error: { code: 'AskFirst' } } })
  expect(pushed).toBe(1)
  const other = () => at.json(['fetch', 'POST', '/other', '--gate', url])
  expect(await other()).toMatchObject({ code: 0 })
  expect(await other()).toMatchObject({ code: 1, said: { error: { code: 'OverBudget' } } })
  expect(await (await fetch(`${metrics}/metrics`)).text()).toContain('{server="git",outcome="OverBudget"} 1')
})

it('sends files and long JSON beside the call, to the byte, and JSON that fits signed', async () => {
  const { reached, url: apiUrl } = await startApi((_request, response) => response.end('taken'))
  const at = await home()
  const service = { url: apiUrl, private: true, methods: ['PUT', 'POST'], uploads: 1_000_000 }
  const gate = await startGate(at, { notes: service })
  await grant(at, '/http/put')
  await grant(at, '/http/post', [['==', '.body.title', 'Hello']])
  const send = (args: readonly string[], input = '') =>
    at.json(['fetch', ...args, '--body', '--gate', gate.url], input)
  const picture = Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0a, 0x0d])
  await writeFile(join(at.folder, 'me.png'), picture)
  expect(await send(['PUT', '/avatar', 'me.png', '--type', 'image/png'])).toMatchObject({ code: 0 })
  expect(reached.at(-1)).toMatchObject({
    url: '/avatar',
    headers: { 'content-type': 'image/png', 'content-length': String(picture.length) },
  })
  const long = JSON.stringify({ text: Array.from({ length: 20_000 }, (_, at) => at * 7919).join(' ') })
  expect(await send(['PUT', '/long'], long)).toMatchObject({ code: 0 })
  expect(reached.at(-1)?.body).toBe(long)
  // A limit reaches the fields of JSON that is signed, and refuses what it can't see.
  expect(await send(['POST', '/notes'], '{"title": "Hello"}')).toMatchObject({ code: 0 })
  expect(await send(['POST', '/notes'], '{"title": "Other"}')).toMatchObject({ code: 1 })
  expect(await send(['POST', '/notes', '--type', 'text/plain'], 'Hello')).toMatchObject({ code: 1 })
  expect(reached).toHaveLength(3)
  for (const wrong of [
    ['PUT', '/x', '--type', 'png'],
    ['PUT', '/x'],
  ])
    expect((await send(wrong, 'no JSON')).code).toBe(2)
  expect((await at.run(['fetch', 'PUT', '/x', 'me.png', '--gate', gate.url])).code).toBe(2)
  expect(reached).toHaveLength(3)
})

it('asks for exactly the call that no grant covers', async () => {
  const { url: apiUrl } = await startApi((_request, response) => response.end('taken'))
  const at = await home()
  const gate = await startGate(at, { shop: { url: apiUrl, private: true, methods: ['POST'] } })
  const args = ['fetch', 'POST', '/charges', '--body', '--gate', gate.url]
  const { said } = await at.json(args, '{"amount": 5}')
  const [, request = ''] = /#keyhole-request-1\.([\w-]+)/.exec(JSON.stringify(said)) ?? []
  const { policy } = JSON.parse(Buffer.from(request, 'base64url').toString())
  expect(policy).toEqual([['==', '.', { service: 'shop', path: '/charges', body: { amount: 5 } }]])
})

it('uses a grant of any owner of the gate', async () => {
  const { reached, url: apiUrl } = await startApi((_request, response) => response.end('taken'))
  const at = await home()
  const service = { url: apiUrl, private: true, methods: ['GET'] }
  const gate = await startGate(at, { notes: service }, [person(7).did, owner.did])
  await grant(at, '/http/get')
  expect(await at.json(['fetch', 'GET', '/all', '--gate', gate.url])).toMatchObject({ code: 0 })
  expect(reached.at(-1)).toMatchObject({ url: '/all' })
})
