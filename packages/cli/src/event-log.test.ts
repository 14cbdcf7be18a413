// What a gate and a relay tell while they run.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Given } from './command.ts'
import { eventLog } from './event-log.ts'
import { home } from './test/command.ts'
import { owner } from './test/gate.ts'

const SECRET = 'key-of-the-server-9f8e7d'

/** A log, and what it told. */
function begin(format: string | undefined, isTerminal: boolean) {
  const told: string[] = []
  const io = { isTerminal, tell: (line: string) => told.push(line) }
  const given = { io, text: () => format } as unknown as Given
  return { told, log: eventLog(given, () => 0) }
}

const objects = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))

/** A gate whose server fails, after it said this on standard error. */
async function serveFailing(script: string, options: readonly string[] = []) {
  const at = await home({ TOKEN: SECRET })
  const server = { command: process.execPath, args: ['-e', script], secrets: { SECRET: 'env:TOKEN' } }
  const config = {
    owners: [owner.did],
    vault: 'https://vault.example',
    data: './gate',
    servers: { bad: server },
  }
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const gate = at.start(['gate', 'serve', '--listen', '127.0.0.1:0', '--json', ...options])
  onTestFinished(() => gate.kill('SIGKILL'))
  const { url, did } = JSON.parse(await gate.line())
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const args = { how: 'an argument of the call' }
  const params = { name: 'echo', arguments: args }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await (await fetch(`${url}/mcp/bad`, { method: 'POST', headers, body })).text()
  gate.kill('SIGTERM')
  return { url, did, ...(await gate.ended) }
}

it('is an object a line for a program, with its time, level and event, and no credential or argument', async () => {
  const say = 'process.stderr.write("my key is " + process.env.SECRET + "\\nforged\\"}\\n\\x1b[31mred\\n")'
  const { url, did, code, out, err } = await serveFailing(say)
  expect(code).toBe(0)
  const lines = objects(err)
  for (const { time, level, event } of lines) {
    expect(new Date(String(time)).toISOString()).toBe(time)
    expect(['info', 'warn', 'error']).toContain(level)
    expect(event).toMatch(/^[a-z_]+$/)
  }
  expect(lines[0]).toMatchObject({ level: 'info', event: 'started', url, did })
  expect(lines.slice(-2)).toMatchObject([{ event: 'stopping' }, { event: 'stopped' }])
  const said = lines.filter(({ event }) => event === 'server')
  expect(said.map(({ server, message }) => [server, message])).toEqual([
    ['bad', 'my key is [credential removed]'],
    ['bad', 'forged"}'],
    ['bad', '\u001b[31mred'],
  ])
  expect(out + err).not.toContain(SECRET)
  expect(out + err).not.toContain('an argument of the call')
})

it('is lines of text if that is asked for, in which a server can forge nothing', async () => {
  const { err } = await serveFailing('process.stderr.write("\\x1b[2Kred\\n")', ['--log-format', 'text'])
  expect(err).toContain('bad: \\u{1b}[2Kred\n')
})

it('is text in a terminal, and JSON elsewhere, if nothing is said', () => {
  const person = begin(undefined, true)
  const program = begin(undefined, false)
  for (const { log } of [person, program]) {
    log.info('started', { url: 'http://127.0.0.1:1' })
    log.warn('waiting', 'No server answers.')
    log.error(Object.assign(new Error('The disk is full.'), { code: 'STORE_FAILED' }))
  }
  expect(person.told).toEqual(['keyhole: No server answers.', 'keyhole: The disk is full.'])
  const time = '1970-01-01T00:00:00.000Z'
  expect(program.told.map((line) => JSON.parse(line))).toEqual([
    { time, level: 'info', event: 'started', url: 'http://127.0.0.1:1' },
    { time, level: 'warn', event: 'waiting', message: 'No server answers.' },
    { time, level: 'error', event: 'error', code: 'STORE_FAILED', message: 'The disk is full.' },
  ])
  expect(() => begin('xml', true)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

it('says why a service could not start, and a person gets it as text', async () => {
  const at = await home()
  const config = { owners: ['me'], vault: 'https://vault.example' }
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const piped = await at.run(['gate', 'serve'])
  expect(piped.code).toBe(3)
  expect(objects(piped.err)).toMatchObject([{ level: 'error', event: 'error', code: 'INVALID_CONFIG' }])
  const text = await at.run(['gate', 'serve', '--log-format', 'text'])
  expect(text).toMatchObject({ code: 3, out: '' })
  expect(text.err).toMatch(/^keyhole: The configuration is wrong\./)
})

it('is the same for a relay', async () => {
  const at = await home()
  const relay = at.start(['relay', '--store', 'memory', '--listen', '127.0.0.1:0', '--json'])
  const { url } = JSON.parse(await relay.line())
  relay.kill('SIGTERM')
  const { code, err } = await relay.ended
  expect(code).toBe(0)
  expect(objects(err)).toMatchObject([{ event: 'started', url }, { event: 'stopping' }, { event: 'stopped' }])
})
