// `keyhole gate login`, against a real MCP server that asks for a login, and its issuer.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { oauthServer } from '../../gate/src/test/oauth-server.ts'
import { home } from './test/command.ts'

const OWNER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

async function begin() {
  const server = await oauthServer()
  const own = await home()
  const servers = { far: { url: server.url, private: true, oauth: {}, paths: [] }, near: { command: 'true' } }
  const config = { owners: [OWNER], vault: 'https://vault.example', data: 'gate', servers }
  await writeFile(join(own.folder, 'keyhole-gate.json'), JSON.stringify(config))
  return { server, own }
}

it('logs in by a link, and the gate then reaches the server', async () => {
  const { server, own } = await begin()
  const before = await own.run(['gate', 'check'])
  expect(before.code).toBe(3)
  expect(before.err).toContain('keyhole gate login far')

  const started = own.start(['gate', 'login', 'far', '--json'])
  const { link } = JSON.parse(await started.line())
  expect((await fetch(await server.open(link))).status).toBe(200)
  const { code, out, err } = await started.ended
  expect([code, JSON.parse(out.trim().split('\n').at(-1) ?? '')]).toEqual([
    0,
    { issuer: server.issuer, scope: 'read', until: expect.any(String), renewed: true },
  ])
  for (const token of server.tokens) expect(out + err).not.toContain(token)

  await writeFile(
    join(own.folder, 'far.json'),
    JSON.stringify({
      ...{ owners: [OWNER], vault: 'https://vault.example', data: 'gate' },
      servers: { far: { url: server.url, private: true, oauth: {}, paths: [] } },
    }),
  )
  const after = await own.run(['gate', 'check', '--config', 'far.json'])
  expect([after.code, after.out]).toEqual([0, expect.stringContaining('echo')])
})

it.each([
  ['no server', [], 2],
  ['a server that is not there', ['other'], 3],
  ['a server that is a program', ['near'], 3],
  ['a port that is none', ['far', '--port', '70000'], 2],
])('refuses %s', async (_, args, code) => {
  const { own, server } = await begin()
  expect((await own.run(['gate', 'login', ...args])).code).toBe(code)
  expect(server.asked).toEqual([])
})

it('ends when the person declines, and when no one comes', async () => {
  const { own, server } = await begin()
  const started = own.start(['gate', 'login', 'far', '--json'])
  const { link } = JSON.parse(await started.line())
  await fetch(await server.open(link, { error: 'access_denied' }))
  expect(await started.ended).toMatchObject({ code: 3, out: expect.stringContaining('access_denied') })
  expect((await own.run(['gate', 'login', 'far', '--wait', '1s'])).err).toContain('No one logged in in time')
})
