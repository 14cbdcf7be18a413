// Logging in to a server on the network, as MCP describes it (2025-11-25, Authorization). The SDK does the steps; a person opens a link.
import { randomBytes } from 'node:crypto'
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client'
import type { RemoteServerConfig } from '../config/config.ts'
import { readCredential } from '../config/credential.ts'
import { GateError } from '../errors.ts'
import { NoAnswer } from '../services/connection.ts'
import { listenForCallback } from './callback.ts'
import { withTokens } from './login.ts'
import { loginFetch } from './login-fetch.ts'
import { lockLogin } from './login-lock.ts'
import { loginPath, type StoredLogin, writeLogin } from './stored-login.ts'

export interface LogInOptions {
  readonly name: string
  readonly config: RemoteServerConfig
  /** Folder of what the gate remembers. */
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  /** Called with the link that a person has to open in a browser on this machine. */
  readonly onLink: (link: string) => void
  /** The port that the browser comes back to, for a client with a fixed address. Default: any. */
  readonly port?: number
  /** Ends the waiting. Default: after ten minutes. */
  readonly signal?: AbortSignal
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/** What was agreed. */
export interface LoggedIn {
  readonly issuer: string
  readonly scope: string | undefined
  readonly expiresAt: number | undefined
  /** Whether it is renewed without a person. */
  readonly isRenewed: boolean
}

/**
 * Logs in to a server and stores the login for the gate, also for one that is running.
 *
 * @throws GateError INVALID_CONFIG, LOGIN_FAILED, LISTEN_FAILED, CREDENTIAL_MISSING; the signal's reason
 */
export async function logIn(options: LogInOptions): Promise<LoggedIn> {
  const { name, config, folder, env = process.env, clock = Date.now, port = 0 } = options
  const { signal = AbortSignal.timeout(600_000) } = options
  const { oauth } = config
  if (!oauth)
    throw new GateError('INVALID_CONFIG', `The server ${name} has no \`oauth\` in the configuration.`)
  const clientSecret = oauth.secret && (await readCredential(`of ${name}'s client`, oauth.secret, env))
  const listener = await listenForCallback(port)
  try {
    const state = randomBytes(32).toString('base64url')
    const login = new LoginFlow(config, listener.url, state, clientSecret)
    const { scope: asked, resourceMetadataUrl } = await challengeOf(config, signal)
    const scope = oauth.scope ?? asked
    const given = {
      serverUrl: config.url,
      fetchFn: loginFetch(config.private),
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    }
    await auth(login, given)
    const answer = listener.receive(state, signal)
    options.onLink(login.link.href)
    const { code, iss } = await answer
    await auth(login, { ...given, authorizationCode: code, ...(iss !== undefined && { iss }) })
    const stored = login.result(clock(), resourceMetadataUrl)
    const path = loginPath(folder, name)
    await lockLogin(path, () => writeLogin(path, stored))
    const { issuer, expiresAt, refreshToken } = stored
    return { issuer, scope: stored.scope, expiresAt, isRenewed: refreshToken !== undefined }
  } catch (error) {
    if (error instanceof GateError || error === signal.reason) throw error
    // An issuer's own words may have a secret in them.
    const why = error instanceof NoAnswer ? ` ${error.message}` : ''
    throw new GateError('LOGIN_FAILED', `The login to ${name} failed.${why} Nothing was changed.`)
  } finally {
    listener.close()
  }
}

/** Asks the server without a login: it says who gives one, and for what. */
async function challengeOf(
  { url, headers, private: isPrivate }: RemoteServerConfig,
  signal: AbortSignal,
): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'keyhole-gate', version: '0.1.0' },
  }
  const answer = await loginFetch(isPrivate)(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    signal,
  })
  await answer.body?.cancel()
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {}
}

/** What the SDK asks of a client during one login. All of it is in memory until the login is complete. */
class LoginFlow implements OAuthClientProvider {
  readonly #config: RemoteServerConfig
  readonly #state: string
  readonly #fixed: OAuthClientInformationMixed | undefined
  readonly redirectUrl: string
  #registered: OAuthClientInformationMixed | undefined
  #tokens: Parameters<typeof withTokens>[1] | undefined
  #discovered: OAuthDiscoveryState | undefined
  #resource: string | undefined
  #issuer: string | undefined
  #verifier = ''
  #link: URL | undefined

  constructor(
    config: RemoteServerConfig,
    redirectUrl: string,
    state: string,
    clientSecret: string | undefined,
  ) {
    const { client } = config.oauth ?? {}
    this.#config = config
    this.#state = state
    this.redirectUrl = redirectUrl
    this.#fixed =
      client === undefined
        ? undefined
        : { client_id: client, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  }

  get clientMetadata() {
    return {
      client_name: 'Keyhole gate',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  /** The link to open. */
  get link(): URL {
    if (!this.#link) throw new GateError('LOGIN_FAILED', 'The server asked for no login.')
    return this.#link
  }

  state(): string {
    return this.#state
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#fixed ?? this.#registered
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    if (!this.#fixed) this.#registered = client
  }

  tokens(): undefined {
    // A login begins from nothing, whatever is stored.
    return undefined
  }

  saveTokens(tokens: Parameters<typeof withTokens>[1], context?: { readonly issuer: string }): void {
    this.#tokens = tokens
    this.#issuer = context?.issuer
  }

  redirectToAuthorization(link: URL): void {
    // Without a resource, the tokens would be good elsewhere too.
    if (this.#resource === undefined)
      throw new GateError(
        'LOGIN_FAILED',
        "The server doesn't say what its tokens are for (RFC 9728), so the gate can't log in.",
      )
    const isSafe = link.protocol === 'https:' || (this.#config.private && link.protocol === 'http:')
    if (!isSafe) throw new NoAnswer('A login goes over https.')
    this.#link = link
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource
  }

  /** The login to store. */
  result(now: number, resourceMetadataUrl: URL | undefined): StoredLogin {
    if (!this.#tokens || this.#resource === undefined || this.#issuer === undefined)
      throw new NoAnswer('The issuer gave no tokens.')
    const registered = this.#registered
    const login = {
      version: 1 as const,
      url: this.#config.url,
      issuer: this.#issuer,
      resource: this.#resource,
      ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
      ...(registered && { client: registered }),
      refreshToken: undefined,
    }
    return withTokens(login, this.#tokens, now)
  }
}
