// An MCP server that asks for a login, and the issuer that gives it (OAuth 2.1 with PKCE), each on a port of its own.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface IssuerOptions {
  /** How long the next access token is good for, in seconds. @param given how many were given before */
  readonly expiresIn?: (given: number) => number
  /** Fields of the metadata that are different. */
  readonly metadata?: object
  readonly resourceMetadata?: (server: string) => object | undefined
  /** Whether the server can't say now who its issuer is. */
  readonly isMute?: () => boolean
  /** What the token endpoint answers in place of tokens. */
  readonly refuse?: () => { readonly status: number; readonly body: string } | undefined
  /** What a call of the tool answers. */
  readonly answer?: (request: IncomingMessage) => string
}

export interface OAuthServer {
  /** URL of the MCP server. */
  readonly url: string
  readonly issuer: string
  /** Requests to the issuer, and calls of the tool that were let through. */
  readonly asked: { readonly path: string; readonly body: URLSearchParams }[]
  readonly calls: { readonly authorization: string | undefined }[]
  /** Every token that was given. */
  readonly tokens: string[]
  /** Makes the access tokens that were given good for nothing. */
  expire(): void
  /** Opens a link as a person does who agrees. @returns where the browser is sent to */
  open(link: string, changes?: Readonly<Record<string, string>>): Promise<string>
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

export async function oauthServer(options: IssuerOptions = {}): Promise<OAuthServer> {
  const { expiresIn = () => 3_600, refuse = () => undefined } = options
  const asked: OAuthServer['asked'] = []
  const calls: OAuthServer['calls'] = []
  const tokens: string[] = []
  const good = new Set<string>()
  const refreshers = new Set<string>()
  const clients = new Map<string, readonly string[]>()
  const codes = new Map<string, URLSearchParams>()

  const issuer: string = await listen(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const text = await textOf(request)
    const json = (status: number, body: object | string) => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return void json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
        ...options.metadata,
      })
    if (url.pathname === '/register') {
      const id = randomUUID()
      const { redirect_uris: places } = JSON.parse(text)
      clients.set(id, places)
      return void json(201, { ...JSON.parse(text), client_id: id })
    }
    if (url.pathname !== '/token') return void json(404, {})
    const body = new URLSearchParams(text)
    asked.push({ path: url.pathname, body })
    const refused = refuse()
    if (refused) return void json(refused.status, refused.body)
    const given = codes.get(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isCode =
      given !== undefined &&
      codes.delete(body.get('code') ?? '') &&
      given.get('code_challenge') === challenge &&
      given.get('redirect_uri') === body.get('redirect_uri')
    // Each refresh token is taken once, as OAuth 2.1 has it for clients without a secret.
    const isRefresh = refreshers.delete(body.get('refresh_token') ?? '')
    const isForUs = body.get('resource') === server.url
    if (!isForUs || !(isCode || isRefresh)) return void json(400, { error: 'invalid_grant' })
    const [access, refresh] = [`at-${randomUUID()}`, `rt-${randomUUID()}`]
    good.add(access)
    refreshers.add(refresh)
    tokens.push(access, refresh)
    json(200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: expiresIn(tokens.length / 2 - 1),
      scope: 'read',
    })
  })

  const base: string = await listen(async (request, response) => {
    const text = await textOf(request)
    const url = new URL(request.url ?? '', 'http://x')
    const json = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (url.pathname !== '/mcp' && options.isMute?.()) return void json(502, {})
    if (url.pathname === '/about-me') {
      const other = options.resourceMetadata?.(server.url)
      const usual = { resource: server.url, authorization_servers: [issuer], scopes_supported: ['read'] }
      return void (options.resourceMetadata && !other ? json(404, {}) : json(200, other ?? usual))
    }
    if (url.pathname !== '/mcp') return void json(404, {})
    const { authorization } = request.headers
    if (!good.has(authorization?.replace(/^Bearer /, '') ?? ''))
      return void json(
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${base}/about-me", scope="read"` },
      )
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(text)
    const result = (value: object) => json(200, { jsonrpc: '2.0', id, result: value })
    if (method === 'initialize')
      return void result({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      })
    if (method === 'tools/list')
      return void result({
        tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { how: {} } } }],
      })
    if (method === 'tools/call') {
      calls.push({ authorization })
      return void result({ content: [{ type: 'text', text: options.answer?.(request) ?? 'done' }] })
    }
    if (id === undefined) return void response.writeHead(202).end()
    json(200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
  })

  const server: OAuthServer = {
    url: `${base}/mcp`,
    issuer,
    asked,
    calls,
    tokens,
    expire: () => good.clear(),
    async open(link, changes = {}) {
      const query = new URL(link).searchParams
      const [place = ''] = clients.get(query.get('client_id') ?? '') ?? [query.get('redirect_uri') ?? '']
      const code = randomUUID()
      codes.set(code, query)
      const back = new URL(place)
      back.search = new URLSearchParams({
        code,
        state: query.get('state') ?? '',
        iss: issuer,
        ...changes,
      }).toString()
      return back.href
    },
  }
  return server
}
