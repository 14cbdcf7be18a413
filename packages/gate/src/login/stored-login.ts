// A login at a server on the network, as it is stored: one file for each server, which only its owner can read.
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { GateError } from '../errors.ts'

/** A shorter one can't be told from ordinary text in an answer. */
const Token = z.string().min(8).max(65_536)

const Stored = z.object({
  version: z.literal(1),
  /** URL of the server. A login is for no other. */
  url: z.string(),
  /** Who gave the tokens, and for which resource. */
  issuer: z.string(),
  resource: z.string(),
  resourceMetadataUrl: z.string().optional(),
  /** The gate as the issuer knows it, if it registered itself. */
  client: z
    .object({
      client_id: z.string(),
      client_secret: z.string().optional(),
      token_endpoint_auth_method: z.string().optional(),
    })
    .optional(),
  accessToken: Token,
  refreshToken: Token.optional(),
  scope: z.string().optional(),
  /** In milliseconds since 1970; undefined if the issuer didn't say. */
  expiresAt: z.number().optional(),
})
export type StoredLogin = z.output<typeof Stored>

export function loginPath(folder: string, name: string): string {
  return join(folder, 'logins', `${name}.json`)
}

/** What must come out in no answer and no log. */
export function secretsOf({ accessToken, refreshToken, client }: StoredLogin): string[] {
  return [accessToken, refreshToken, client?.client_secret].filter((each) => each !== undefined)
}

/** Reads a login; undefined if there is none. @throws GateError CREDENTIAL_MISSING if it is damaged, or others can read it */
export async function readLogin(path: string): Promise<StoredLogin | undefined> {
  const file = await open(path, 'r').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw new GateError('CREDENTIAL_MISSING', `The login ${path} can't be read.`)
  })
  if (!file) return undefined
  try {
    const { mode } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new GateError(
        'CREDENTIAL_MISSING',
        `Others on this machine can read ${path}. Delete it and log in again.`,
      )
    return Stored.parse(JSON.parse(await file.readFile('utf8')))
  } catch (error) {
    if (error instanceof GateError) throw error
    throw new GateError('CREDENTIAL_MISSING', `The login ${path} is damaged. Delete it and log in again.`)
  } finally {
    await file.close()
  }
}

/** Writes a login completely or not at all. The caller holds the lock. */
export async function writeLogin(path: string, login: StoredLogin): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(Stored.parse(login), null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path).catch(async (error) => {
    await rm(draft, { force: true })
    throw error
  })
}
