// Logins at MCP servers on the network: the gate's own flow against a real server and issuer, and against some that cheat.
import { chmod, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { type IssuerOptions, type OAuthServer, oauthServer } from '../test/oauth-server.ts'
import { codeOf, connect, folder, holderWith, open, owner, receipts, textOf, VAULT } from '../test/parts.ts'
import { logIn } from './log-in.ts'
import { loginPath } from './stored-login.ts'

const place = ({ url }: { readonly url: string }, oauth: object = {}) => ({
  far: { url, private: true, paths: [], oauth },
})

function configOf(servers: object) {
  const config = readConfig({ owners: [owner.did], vault: VAULT, servers }).servers.far
  if (!config || !('url' in config)) throw new Error('There is no server.')
  return config
}

/** The first access token is about to expire, and the others aren't. */
const SHORT = { expiresIn: (given: number) => (given === 0 ? 30 : 3_600) }

/** Logs in. The browser goes where the issuer sends it, unless told otherwise. */
async function logInTo(
  server: OAuthServer,
  data: string,
  { oauth = {}, browse }: { oauth?: object; browse?: (link: string) => Promise<unknown> } = {},
) {
  const visit = browse ?? (async (link) => fetch(await server.open(link)))
  return await logIn({
    ...{ name: 'far', config: configOf(place(server, oauth)), folder: data },
    onLink: (link) => void visit(link),
  })
}

async function begin(options: IssuerOptions = {}) {
  const server = await oauthServer(options)
  const data = await folder()
  await logInTo(server, data)
  const opened = await open(place(server), data)
  const client = await connect(opened, 'far', await holderWith({}))
  const call = async () => await client.callTool({ name: 'echo', arguments: { how: 'x' } })
  return { server, data, opened, call }
}

describe('a login', () => {
  it('is asked for, then used for each call, and stored for its owner alone', async () => {
    const server = await oauthServer()
    const data = await folder()
    const opened = await open(place(server), data)
    await expect(opened.gate.servers.get('far')?.kinds()).rejects.toMatchObject({
      code: 'LOGIN_NEEDED',
      message: expect.stringContaining('keyhole gate login far'),
    })
    expect(await logInTo(server, data)).toEqual({
      issuer: server.issuer,
      scope: 'read',
      expiresAt: expect.any(Number),
      isRenewed: true,
    })
    // The gate that runs has it from now on.
    const client = await connect(opened, 'far', await holderWith({}))
    expect(textOf(await client.callTool({ name: 'echo', arguments: {} }))).toBe('done')
    expect(server.calls).toEqual([{ authorization: `Bearer ${server.tokens[0]}` }])
    expect((await stat(loginPath(data, 'far'))).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(loginPath(data, 'far')))).mode & 0o777).toBe(0o700)
    // PKCE, and the resource indicator, in both requests.
    const [exchange] = server.asked
    expect(exchange?.body.get('resource')).toBe(server.url)
    expect(exchange?.body.get('code_verifier')).toMatch(/^[\w.~-]{43,128}$/)
  })

  it('comes out in no answer and no log, and neither does the one before it', async () => {
    const said = { text: '' }
    const { server, opened, call } = await begin({ answer: () => said.text })
    await call()
    server.expire()
    await call()
    expect(server.tokens).toHaveLength(4)
    said.text = server.tokens.join(' ')
    const answer = await call()
    for (const token of server.tokens) {
      expect(JSON.stringify(answer)).not.toContain(token)
      expect(JSON.stringify([opened.logs, opened.errors.map(String), await receipts(opened)])).not.toContain(
        token,
      )
    }
    expect(textOf(answer)).toContain('[credential removed]')
  })

  it('is renewed before it expires', async () => {
    const { server, call } = await begin(SHORT)
    expect(textOf(await call())).toBe('done')
    expect(server.asked.map(({ body }) => body.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    expect(server.asked[1]?.body.get('resource')).toBe(server.url)
    expect(server.calls).toEqual([{ authorization: `Bearer ${server.tokens[2]}` }])
  })

  it('is renewed once for all calls that are refused at a time', async () => {
    const { server, call } = await begin()
    await call()
    server.expire()
    const answers = await Promise.all(Array.from({ length: 8 }, call))
    expect(answers.map(textOf)).toEqual(Array(8).fill('done'))
    expect(server.asked).toHaveLength(2)
    expect(server.calls).toHaveLength(9)
  })

  it('is renewed when the server refuses it, and the call goes on, made once', async () => {
    const { server, call } = await begin()
    await call()
    server.expire()
    expect(textOf(await call())).toBe('done')
    expect(server.calls).toHaveLength(2)
  })

  it('is renewed by one of several gates with one folder, and the others use what it got', async () => {
    const { server, data, call } = await begin()
    const client = await connect(await open(place(server), data), 'far', await holderWith({}))
    const other = async () => await client.callTool({ name: 'echo', arguments: {} })
    await Promise.all([call(), other()])
    server.expire()
    const answers = await Promise.all([call(), other(), call(), other()])
    expect(answers.map(textOf)).toEqual(Array(4).fill('done'))
    expect(server.asked).toHaveLength(2)
  })

  it('is needed again once the issuer refuses to renew it, whatever the issuer says', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const state = { words: '' }
    const { server, opened, call } = await begin({
      refuse: () =>
        state.words === ''
          ? undefined
          : { status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description: state.words }) },
    })
    await call()
    state.words = `used ${server.tokens[1]}`
    server.expire()
    const answer = await call()
    expect(codeOf(answer)).toBe('ServerFailed')
    for (const each of [JSON.stringify(answer), opened.errors.map(String).join(), String(warned.mock.calls)])
      expect(each).not.toContain(server.tokens[1])
    state.words = ''
    await logInTo(server, opened.data)
    expect(textOf(await call())).toBe('done')
  })

  it.each([
    ['is down', { status: 503, body: '' }],
    ['answers nonsense', { status: 200, body: '<html>' }],
    ['gives a token that is too short', { status: 200, body: '{"access_token":"x","token_type":"Bearer"}' }],
  ])('stays as it is while the issuer %s', async (_, answer) => {
    let isOut = false
    const { server, data, call } = await begin({ refuse: () => (isOut ? answer : undefined) })
    await call()
    const before = await readFile(loginPath(data, 'far'), 'utf8')
    isOut = true
    server.expire()
    expect(codeOf(await call())).toBe('ServerFailed')
    expect(await readFile(loginPath(data, 'far'), 'utf8')).toBe(before)
    isOut = false
    await expect.poll(async () => textOf(await call())).toBe('done')
  })

  it('needs no person while the server only fails to say who its issuer is', async () => {
    let isMute = false
    const { server, call } = await begin({ isMute: () => isMute })
    await call()
    isMute = true
    server.expire()
    const answer = await call()
    expect(codeOf(answer)).toBe('ServerFailed')
    expect(textOf(answer)).toContain("can't be renewed now")
    isMute = false
    expect(textOf(await call())).toBe('done')
  })

  it('is for the server it was made at, and for no other', async () => {
    const { data, server } = await begin()
    const other = await oauthServer()
    const opened = await open(place(other), data)
    await expect(opened.gate.servers.get('far')?.kinds()).rejects.toMatchObject({ code: 'LOGIN_NEEDED' })
    expect(other.asked).toEqual([])
    expect(server.asked).toHaveLength(1)
  })

  it.each([
    ['others can read', async (path: string) => chmod(path, 0o644)],
    ['is damaged', async (path: string) => writeFile(path, '{"version":1')],
  ])('that %s is not used', async (_, change) => {
    const server = await oauthServer()
    const data = await folder()
    await logInTo(server, data)
    await change(loginPath(data, 'far'))
    const { gate } = await open(place(server), data)
    await expect(gate.servers.get('far')?.kinds()).rejects.toThrow(/Delete it and log in again/)
    expect(server.calls).toEqual([])
  })

  it('goes on where another process left its lock behind', async () => {
    const { server, data, call } = await begin()
    await call()
    const lock = `${loginPath(data, 'far')}.lock`
    await writeFile(lock, '')
    const old = new Date(Date.now() - 120_000)
    await utimes(lock, old, old)
    server.expire()
    expect(textOf(await call())).toBe('done')
    expect(server.asked).toHaveLength(2)
  })
})

describe('logging in', () => {
  const elsewhere = 'https://other.example'
  it.each<[string, IssuerOptions]>([
    ['has no S256', { metadata: { code_challenge_methods_supported: ['plain'] } }],
    ['says it is another issuer', { metadata: { issuer: elsewhere } }],
    ['has its tokens elsewhere, without https', { metadata: { token_endpoint: 'http://192.0.2.1/token' } }],
    [
      'is named by a server for another resource',
      { resourceMetadata: () => ({ resource: `${elsewhere}/mcp`, authorization_servers: [elsewhere] }) },
    ],
    ['is named by no one', { resourceMetadata: () => undefined }],
    ['refuses the code', { refuse: () => ({ status: 400, body: '{"error":"invalid_grant"}' }) }],
  ])('fails if the issuer %s', async (_, options) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const server = await oauthServer(options)
    const data = await folder()
    await expect(logInTo(server, data)).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
    expect(server.tokens).toEqual([])
    await expect(stat(loginPath(data, 'far'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('takes the answer to its own request alone, from a browser that asks for this machine', async () => {
    const server = await oauthServer()
    const data = await folder()
    const statuses: number[] = []
    await logInTo(server, data, {
      async browse(link) {
        const back = new URL(await server.open(link))
        const visit = async (url: string | URL, init?: RequestInit) =>
          statuses.push((await fetch(url, { redirect: 'manual', ...init })).status)
        const forged = new URL(back)
        forged.searchParams.set('state', 'AAAA')
        await visit(forged)
        await visit(new URL('/other', back))
        await visit(back, { method: 'POST' })
        await visit(back.href.replace('127.0.0.1', 'localhost'))
        await visit(back)
      },
    })
    await expect.poll(() => statuses).toEqual([400, 404, 405, 404, 200])
  })

  it.each([
    ['the person declined', { error: 'access_denied' }, /access_denied/],
    ['the answer names another issuer', { iss: elsewhere }, /failed/],
    ['the answer names none', { iss: '' }, /failed/],
    ['an error has a text of its own', { error: '<b>x' }, /The login was refused\. Nothing/],
  ])('fails if %s', async (_, changes: Record<string, string>, message) => {
    const server = await oauthServer()
    const data = await folder()
    const browse = async (link: string) => fetch(await server.open(link, changes))
    await expect(logInTo(server, data, { browse })).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringMatching(message),
    })
    expect(server.tokens).toEqual([])
  })

  it('reaches no private address unless the server may be at one', async () => {
    const server = await oauthServer()
    const config = { ...configOf(place(server)), private: false }
    const onLink = vi.fn()
    const failed = logIn({ name: 'far', config, folder: await folder(), onLink })
    await expect(failed).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
    expect(onLink).not.toHaveBeenCalled()
    expect(server.asked).toEqual([])
  })

  it('uses the client that is configured, with its secret', async () => {
    const server = await oauthServer()
    const data = await folder()
    const browse = async (link: string) => {
      expect(new URL(link).searchParams.get('client_id')).toBe('ours')
      expect(new URL(link).searchParams.get('scope')).toBe('write')
      await fetch(await server.open(link))
    }
    const oauth = { client: 'ours', secret: 'env:CLIENT', scope: 'write' }
    process.env.CLIENT = 'a-secret-of-the-client'
    onTestFinished(() => void delete process.env.CLIENT)
    await logInTo(server, data, { oauth, browse })
    expect(await readFile(loginPath(data, 'far'), 'utf8')).not.toContain('a-secret-of-the-client')
  })

  it.each([
    ['both ways', { oauth: {}, auth: { header: 'X-Key', secret: 'env:TOKEN' } }],
    ['a secret without its client', { oauth: { secret: 'env:X' } }],
    ['a scope with a line break', { oauth: { scope: 'a\nb' } }],
  ])('is refused in a configuration with %s', (_, more) => {
    const servers = { far: { url: 'https://far.example/mcp', ...more } }
    expect(() => readConfig({ owners: [owner.did], vault: VAULT, servers })).toThrow(/wrong/)
  })
})
