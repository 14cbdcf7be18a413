import { expect, it, onTestFinished, vi } from 'vitest'
import { filesServer, folder, open, owner, VAULT } from '../test/parts.ts'
import { gateEndpoint } from './endpoint.ts'
import { readMcpBody } from './mcp-body.ts'

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const post = (body: string) => new Request('http://127.0.0.1/mcp/files', { method: 'POST', headers, body })
const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`
/** So many keys with values. */
const members = (count: number) => Array.from({ length: count }, (_, at) => `"key ${at}":0`).join()

/** What a body is answered, and how often JSON was parsed for that. */
async function read(body: string) {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const answer = await readMcpBody(post(body))
  const parsed = parse.mock.calls.filter(([text]) => text === body).length
  parse.mockRestore()
  if ('json' in answer) return { parsed, json: answer.json }
  return { parsed, status: answer.refusal.status, code: (await answer.refusal.json()).error.code }
}

it.each([
  ['a list', message(`{"x":[${'0,'.repeat(1_900_000)}0]}`)],
  ['lists in each other', message(`{"x":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`)],
  ['objects in each other', message(`{"x":${'{"":'.repeat(800_000)}0${'}'.repeat(800_000)}}`)],
  ['parameters', message(`{${members(200_000)}}`)],
  ['a batch', `[${'{},'.repeat(1_300_000)}{}]`],
  ['no JSON', '[],'.repeat(1_300_000)],
  ['arguments', message(`{"arguments":[${'[],'.repeat(20_000)}0]}`)],
  ['strings with quotes', message(`{"x":[${'"\\"",'.repeat(40_000)}"\\\\"]}`)],
])('parses nothing of many values: %s', async (_, body) => {
  expect(await read(body)).toEqual({ parsed: 0, status: 413, code: -32_000 })
})

it.each([
  ['parameters', message(`{${members(1_100)}}`)],
  ['its envelope', message(`{"_meta":{${members(1_100)}}}`)],
  ['a call beside its arguments', message(`{"arguments":{},"x":{${members(1_100)}}}`)],
  ['what is no request', `{"jsonrpc":"2.0","id":1,"arguments":{${members(1_100)}}}`],
  ['a batch', `[${Array(300).fill(message('{}')).join()}]`],
  ['lists in each other', message(`{"x":${'['.repeat(16_000)}${']'.repeat(16_000)}}`)],
])('gives no more to schemas than a call can need: %s', async (_, body) => {
  expect(await read(body)).toEqual({ parsed: 1, status: 413, code: -32_000 })
})

it('takes the longest grants, and the longest arguments that can be signed', async () => {
  const grants = Array.from({ length: 64 }, () => 'x'.repeat(49_152))
  const list = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: { _meta: { 'keyhole/grants': grants } },
  }
  expect(await read(JSON.stringify(list))).toEqual({ parsed: 1, json: list })
  // Commas and brackets in strings are no values, whatever else is in there.
  const text = message(`{"x":"${'[{,:\\"\\\\é'.repeat(100_000)}"}`)
  expect(await read(text)).toEqual({ parsed: 1, json: JSON.parse(text) })
  for (const args of [`[${'[],'.repeat(10_000)}[]]`, `{${members(2_400)}}`])
    expect(await read(message(`{"name":"x","arguments":{"x":${args}}}`))).toEqual({
      parsed: 1,
      json: JSON.parse(message('{"name":"x"}')),
    })
})

it.each(['', ' ', '{', 'x'.repeat(4_000_000), `"${'\\u0041'.repeat(600_000)}`])(
  'says that it is no JSON: %#',
  async (body) => {
    expect(await read(body)).toMatchObject({ status: 400, code: -32_700 })
  },
)

it('is what a gate does with all that is posted to it', async () => {
  const { gate } = await open({ files: filesServer(await folder()) })
  const endpoint = gateEndpoint(gate, VAULT, [owner.did])
  for (const [body, status] of [
    [message(`{${members(200_000)}}`), 413],
    [message(`{${members(1_100)}}`), 413],
    [`"${'x'.repeat(4_194_304)}"`, 413],
    ['{', 400],
    [message('{}'), 200],
  ] as const)
    expect((await endpoint(post(body))).status).toBe(status)
  const other = new Request('http://127.0.0.1/mcp/files', { method: 'POST', body: '{}' })
  expect((await endpoint(other)).status).toBe(415)
})
