// A login that is used: each request has its access token, which is renewed in time. No person is asked for anything here.
import {
  type AuthProvider,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  OAuthError,
  refreshAuthorization,
} from '@modelcontextprotocol/client'
import type { RemoteServerConfig } from '../config/config.ts'
import { GateError } from '../errors.ts'
import { NoAnswer } from '../services/connection.ts'
import { loginFetch } from './login-fetch.ts'
import { lockLogin } from './login-lock.ts'
import { readLogin, type StoredLogin, secretsOf, writeLogin } from './stored-login.ts'

export interface LoginOptions {
  readonly name: string
  readonly config: RemoteServerConfig
  /** Where the login is stored. */
  readonly path: string
  /** Secret of the client that is configured, if there is one. */
  readonly clientSecret?: string | undefined
  /** Called with what must come out in no answer, before it is used. */
  readonly onSecrets: (secrets: readonly string[]) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** A login for the SDK's transport. */
export interface Login extends AuthProvider {
  /** The transport's `fetch`, by which the login knows which token an answer was about. */
  watch(send: Send): Send
}

type Send = (to: string | URL, init?: RequestInit) => Promise<Response>

/** A token is renewed this long before it expires, in milliseconds. */
const EARLY = 60_000

/** The login of a server. It throws GateError LOGIN_NEEDED when a person has to log in. */
export function openLogin(options: LoginOptions): Login {
  const { name, config, path, onSecrets, clock } = options
  /** The token of the request that was answered so. */
  const sent = new WeakMap<Response, string | null>()
  let renewing: Promise<StoredLogin> | undefined

  /** Read each time: a person may have logged in again, or another process renewed it. */
  async function read(): Promise<StoredLogin> {
    const stored = await readLogin(path)
    if (!stored || stored.url !== config.url) throw loginNeeded(name)
    onSecrets(secretsOf(stored))
    return stored
  }

  function renew(old: StoredLogin): Promise<StoredLogin> {
    renewing ??= lockLogin(path, async () => {
      const now = await read()
      return now.accessToken === old.accessToken ? await renewed(now, options) : now
    }).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    async token() {
      let stored = await read()
      const { expiresAt = Number.POSITIVE_INFINITY, refreshToken } = stored
      if (refreshToken !== undefined && expiresAt - clock() < EARLY) {
        stored = await renew(stored).catch((error) => {
          // It may be good for a moment still.
          if (expiresAt > clock()) return stored
          throw error
        })
      }
      return stored.accessToken
    },
    async onUnauthorized({ response }) {
      const stored = await read()
      // Otherwise an old one was refused, and there is a newer one by now.
      if (sent.get(response) === `Bearer ${stored.accessToken}`) await renew(stored)
    },
    watch: (send) => async (to, init) => {
      const response = await send(to, init)
      sent.set(response, new Headers(init?.headers).get('authorization'))
      return response
    },
  }
}

/** Renews a login with its refresh token, and stores it. The caller holds the lock. @throws GateError LOGIN_NEEDED, SERVER_FAILED */
async function renewed(login: StoredLogin, options: LoginOptions): Promise<StoredLogin> {
  const { name, config, path, clientSecret, onSecrets, clock } = options
  const { refreshToken, resourceMetadataUrl, resource } = login
  const client = config.oauth?.client
    ? { client_id: config.oauth.client, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
    : login.client
  if (refreshToken === undefined || !client) throw loginNeeded(name)
  const fetchFn = loginFetch(config.private)
  try {
    const found = await discoverOAuthServerInfo(config.url, {
      fetchFn,
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    })
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = found
    // Then the SDK takes the server itself for the issuer. It is not the login that is wrong.
    if (!found.resourceMetadata) throw new NoAnswer("The server doesn't say who its issuer is.")
    // The refresh token is for who gave it, and for this server. The server doesn't say whom else it goes to.
    const isSame = (metadata?.issuer ?? authorizationServerUrl) === login.issuer
    const isAllowed = checkResourceAllowed({ requestedResource: config.url, configuredResource: resource })
    if (!isSame || !isAllowed) throw loginNeeded(name)
    const tokens = await refreshAuthorization(authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn,
    })
    const next = withTokens(login, tokens, clock())
    onSecrets(secretsOf(next))
    await writeLogin(path, next)
    return next
  } catch (error) {
    if (error instanceof GateError) throw error
    // The issuer's own words may have a token in them.
    if (error instanceof OAuthError && error.code !== 'server_error') throw loginNeeded(name)
    throw new GateError('SERVER_FAILED', `The login of ${name} can't be renewed now. Try again later.`)
  }
}

/** A login with new tokens. Without a new refresh token, the old one stays. */
export function withTokens<T extends Pick<StoredLogin, 'refreshToken'>>(
  login: T,
  tokens: {
    readonly access_token: string
    readonly refresh_token?: string | undefined
    readonly scope?: string | undefined
    readonly expires_in?: number | undefined
  },
  now: number,
) {
  const { access_token: accessToken, refresh_token: refreshToken = login.refreshToken } = tokens
  const { scope, expires_in: expiresIn } = tokens
  return {
    ...login,
    accessToken,
    refreshToken,
    ...(scope !== undefined && { scope }),
    expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1_000,
  }
}

function loginNeeded(name: string): GateError {
  return new GateError(
    'LOGIN_NEEDED',
    `The gate has to log in to ${name}: run \`keyhole gate login ${name}\`.`,
  )
}
