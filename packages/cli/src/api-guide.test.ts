// Runs docs/guides/your-api.md as it is printed. A token maker stands in for the person's vault, and a server on this machine for the API.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import type { Value } from '../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, person } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'

const owner = person(1)
const KEY = 'key-of-the-api-9f8e7d'

function toValue(from: unknown): Value {
  return Array.isArray(from) ? from.map(toValue) : (from as Value)
}

it('puts a gate before an API', async () => {
  const asked: (string | undefined)[] = []
  const api = createServer(({ url, headers }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ notes: ['buy milk'], echoed: headers.authorization }))
  })
  await once(api.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void api.close())
  const { port } = api.address() as AddressInfo

  const at = await home()
  const bin = join(at.folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'keyhole'), `#!/bin/sh\nexec '${process.execPath}' '${at.program}' "$@"\n`)
  await chmod(join(bin, 'keyhole'), 0o755)
  const env = { ...at.env, PATH: `${bin}:${at.env.PATH}` }
  const guide = await readFile(new URL('../../../docs/guides/your-api.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```(sh|json)\n([\s\S]+?)^```/gm)].map(([, kind, text = '']) => ({
    kind,
    text: text.replaceAll('did:key:OWNER', owner.did),
  }))
  expect(blocks.map(({ kind }) => kind).join()).toBe('json,sh,sh,sh,sh,sh')
  const shell = async (index: number) =>
    (await promisify(execFile)('sh', ['-ec', blocks[index]?.text ?? ''], { cwd: at.folder, env })).stdout

  const config = JSON.parse(blocks[0]?.text ?? '')
  // The API of this test is on this machine.
  Object.assign(config.services.notes, { url: `http://127.0.0.1:${port}/v1`, private: true })
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const gate = spawn('sh', ['-ec', `exec ${blocks[1]?.text}`], {
    cwd: at.folder,
    env: { ...env, NOTES_KEY: KEY },
  })
  onTestFinished(() => void gate.kill())
  let said = ''
  gate.stdout.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 20_000 }).toContain('http://127.0.0.1:4291')

  const [, request = ''] = /#keyhole-request-1\.([\w-]+)/.exec(await shell(2)) ?? []
  const wanted = JSON.parse(Buffer.from(request, 'base64url').toString())
  const holder = { ...owner, did: wanted.audience }
  const grant = delegation(owner, holder, { cmd: wanted.command, pol: toValue(wanted.policy) })
  const answer = { request: 'digest', token: container([grant]) }
  const text = `keyhole-answer-1.${Buffer.from(JSON.stringify(answer)).toString('base64url')}`
  await writeFile(join(at.folder, 'answer.txt'), text)
  expect(await shell(3)).toContain('/http/get')

  const got = await shell(4)
  expect(got).toContain('buy milk')
  expect(got).not.toContain(KEY)
  expect(asked).toEqual(['/v1/projects/7/notes?page=1'])
  for (const line of [
    ['GET', '/projects/8/notes'],
    ['GET', '/projects/7/../8'],
    ['POST', '/projects/7/notes'],
  ]) {
    const { code, said: json } = await at.json(['fetch', ...line])
    expect([code, Object(json.error).message]).toEqual([1, expect.any(String)])
  }
  expect(asked).toHaveLength(1)
  const log = await shell(5)
  expect(log).toContain('GET /projects/7/notes')
  expect(log).not.toContain(KEY)
})
