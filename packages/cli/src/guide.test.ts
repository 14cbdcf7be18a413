// Runs docs/guides/one-folder.md as it is printed. A token maker stands in for the person's vault.
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import type { Value } from '../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, person, revocation, type Token } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'
import { answerAsOwner } from './test/owner-vault.ts'
import { atTerminal, quoted } from './test/terminal.ts'

const owner = person(1)

function toValue(from: unknown): Value {
  return Array.isArray(from) ? from.map(toValue) : (from as Value)
}

it('gives an agent one folder', async () => {
  const at = await home()
  const bin = join(at.folder, 'bin')
  await mkdir(bin)
  const files = join(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
    '../dist/index.js',
  )
  // The command as it is installed, and the server without the registry.
  const scripts = {
    keyhole: `#!/bin/sh\nexec '${process.execPath}' '${at.program}' "$@"\n`,
    npx: `#!/bin/sh\n[ "$1 $2" = '-y @modelcontextprotocol/server-filesystem' ] || exit 9\nshift 2\nexec '${process.execPath}' '${files}' "$@"\n`,
  }
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
  const env = { ...at.env, PATH: `${bin}:${at.env.PATH}` }
  const guide = await readFile(new URL('../../../docs/guides/one-folder.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```(sh|json)\n([\s\S]+?)^```/gm)].map(([, kind, text = '']) => ({
    kind,
    text: text.replaceAll('/home/me', at.folder),
  }))
  expect(blocks.map(({ kind }) => kind).join()).toBe('sh,json,sh,sh,sh,sh,sh')
  const text = (index: number) => blocks[index]?.text ?? ''
  const shell = async (index: number) =>
    (await promisify(execFile)('sh', ['-ec', text(index)], { cwd: at.folder, env })).stdout

  const terminal = atTerminal(quoted(['sh', '-ec', text(0)]), { cwd: at.folder, env })
  const link = () => /http\S+#keyhole-service-1\.[\w-]+(?=\s)/.exec(terminal.shown())?.[0]
  await expect.poll(link, { timeout: 60_000 }).toBeDefined()
  expect(await answerAsOwner(link() ?? '', owner)).toBe(204)
  await expect.poll(terminal.shown, { timeout: 60_000 }).toContain('Type yes')
  terminal.type('yes')
  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).toContain(owner.did)
  expect(terminal.shown()).toContain('read_text_file (paths: path)')

  const { command, args } = JSON.parse(text(1)).mcpServers.files
  const connect = async (more: readonly string[] = []) => {
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(
      new StdioClientTransport({ command, args: [...args, ...more], env, stderr: 'ignore' }),
    )
    onTestFinished(() => client.close())
    return client
  }
  const notes = join(at.folder, 'notes')
  await writeFile(join(notes, 'tomorrow.txt'), 'nothing')
  await writeFile(join(at.folder, 'outside.txt'), 'secret')
  await symlink(join(at.folder, 'outside.txt'), join(notes, 'link.txt'))
  const read = (client: Client, path: string) =>
    client.callTool({ name: 'read_text_file', arguments: { path } })
  const agent = await connect()
  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(['keyhole_ask'])

  const [, request = ''] = /#keyhole-request-1\.([\w-]+)/.exec(await shell(2)) ?? []
  const asked = JSON.parse(Buffer.from(request, 'base64url').toString())
  const grant: Token = delegation(
    owner,
    { ...owner, did: asked.audience },
    { cmd: asked.command, pol: toValue(asked.policy) },
  )
  const answer = { request: 'digest', token: container([grant]) }
  const said = `keyhole-answer-1.${Buffer.from(JSON.stringify(answer)).toString('base64url')}`
  await writeFile(join(at.folder, 'answer.txt'), said)
  expect(await shell(3)).toContain('/mcp/tools/call')

  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(['read_text_file', 'keyhole_ask'])
  expect(JSON.stringify(await read(agent, join(notes, 'today.txt')))).toContain('buy milk')
  for (const path of [join(at.folder, 'outside.txt'), `${notes}/../outside.txt`, join(notes, 'link.txt')])
    expect(await read(agent, path)).toMatchObject({
      isError: true,
      structuredContent: { error: 'MatchError' },
    })
  expect(await shell(4)).toContain('read_text_file')

  await shell(5)
  const helper = await connect(['--as', 'helper'])
  expect(JSON.stringify(await read(helper, join(notes, 'today.txt')))).toContain('buy milk')
  expect(await read(helper, join(notes, 'tomorrow.txt'))).toMatchObject({
    structuredContent: { error: 'MatchError' },
  })

  await writeFile(join(at.folder, 'revocation.txt'), container([revocation(owner, grant)]))
  expect(await shell(6)).toContain(grant.cid)
  for (const client of [agent, helper])
    expect(await read(client, join(notes, 'today.txt'))).toMatchObject({
      structuredContent: { error: 'Revoked' },
    })
})
