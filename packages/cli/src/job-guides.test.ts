// Runs docs/guides/ci.md and docs/guides/sub-agents.md as they are printed, with a gate before an API on this machine. A token maker stands in
// for the person's vault.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { container, delegation, person, revocation } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'

const owner = person(1)

/** The first agent, with a grant, and a gate before an API. */
async function prepared(name: string) {
  const asked: (string | undefined)[] = []
  const api = createServer(({ url }, response) => {
    asked.push(url)
    response.end('{"notes":["buy milk"]}')
  })
  await once(api.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void api.close())
  const { port } = api.address() as AddressInfo
  const at = await home()
  const services = { notes: { url: `http://127.0.0.1:${port}`, private: true } }
  const config = { owners: [owner.did], vault: 'https://vault.example', data: './gate', services }
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const args = ['gate', 'serve', '--listen', '127.0.0.1:0', '--json']
  const gate = spawn(process.execPath, [at.program, ...args], { cwd: at.folder, env: at.env })
  onTestFinished(() => void gate.kill())
  const [said] = await once(gate.stdout, 'data')
  const { url } = JSON.parse(String(said))

  const bin = join(at.folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'keyhole'), `#!/bin/sh\nexec '${process.execPath}' '${at.program}' "$@"\n`)
  await chmod(join(bin, 'keyhole'), 0o755)
  const did = String((await at.json(['key'])).said.did)
  const grant = delegation(
    owner,
    { ...owner, did },
    { cmd: '/http/get', pol: [['like', '.path', '/projects/*']] },
  )
  expect((await at.run(['add'], container([grant]))).code).toBe(0)

  const guide = await readFile(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]+?)^```/gm)].map(([, text = '']) =>
    text.replaceAll('https://gate.example', url),
  )
  const env = { ...at.env, PATH: `${bin}:${at.env.PATH}` }
  const shell = async (text: string, more: Record<string, string> = {}) =>
    (await promisify(execFile)('sh', ['-ec', text], { cwd: at.folder, env: { ...env, ...more } })).stdout
  const revoke = async () =>
    expect((await at.run(['gate', 'revoke'], container([revocation(owner, grant)]))).code).toBe(0)
  return { at, asked, blocks, shell, revoke, url }
}

it('gives a job what it needs, and nothing else', async () => {
  const { at, asked, blocks, shell, revoke } = await prepared('ci')
  expect(blocks).toHaveLength(3)
  const [make = '', pass = '', use = ''] = blocks
  await shell(make)
  expect((await stat(join(at.folder, 'ci.key'))).mode & 0o077).toBe(0)
  expect(await shell(pass)).toContain('Valid.')
  const text = async (name: string) => await readFile(join(at.folder, name), 'utf8')
  // On the runner there is nothing but the two variables.
  const runner = join(at.folder, 'runner')
  await mkdir(runner)
  const job = { KEYHOLE_KEY: await text('ci.key'), KEYHOLE_TOKENS: await text('ci.token') }
  const there = { ...job, HOME: runner, XDG_DATA_HOME: runner }
  expect(await shell(use, there)).toContain('buy milk')
  for (const other of ['/projects/8/notes', '/projects/7/../8/notes'])
    await expect(shell(use.replace('/projects/7/notes', other), there)).rejects.toMatchObject({ code: 1 })
  await expect(shell(use, { HOME: runner, XDG_DATA_HOME: runner })).rejects.toMatchObject({ code: 1 })
  expect(asked).toEqual(['/projects/7/notes'])
  // A key is never written over.
  await expect(shell(make)).rejects.toMatchObject({ code: 3 })
  expect(await text('ci.key')).toBe(job.KEYHOLE_KEY)
  await revoke()
  await expect(shell(use, there)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('revoked'),
  })
})

it('gives each sub-agent less than the one before', async () => {
  const { at, asked, blocks, shell, revoke, url } = await prepared('sub-agents')
  expect(blocks).toHaveLength(6)
  for (const block of blocks.slice(0, 3)) await shell(block)
  expect(await shell(blocks[3] ?? '')).toContain('buy milk')
  const get = (path: string, who: string) => at.run(['fetch', 'GET', path, '--as', who, '--gate', url])
  expect((await get('/projects/7/plans', 'checker')).code).toBe(1)
  expect((await get('/projects/7/plans', 'reader')).code).toBe(0)
  expect((await get('/projects/8/notes', 'reader')).code).toBe(1)
  expect(asked).toEqual(['/projects/7/notes', '/projects/7/plans'])
  const checker = String((await at.json(['key', '--as', 'checker'])).said.did)
  expect(await shell(blocks[4] ?? '')).toContain(checker)
  await shell(blocks[5] ?? '')
  expect((await get('/projects/7/notes', 'checker')).code).toBe(1)
  expect((await get('/projects/7/notes', 'reader')).code).toBe(0)
  await revoke()
  for (const who of ['checker', 'reader']) expect((await get('/projects/7/notes', who)).code).toBe(1)
  expect(asked).toHaveLength(3)
})
