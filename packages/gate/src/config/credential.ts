import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { GateError } from '../errors.ts'

/** A shorter one can't be told from ordinary text in an answer. */
const SHORTEST = 8
const LONGEST = 65_536

/**
 * Reads a credential from its source: `env:NAME`, `file:/path`, or `command:program argument …` (no shell). White space around it is cut.
 *
 * @param name what it is for, for the error
 * @throws GateError CREDENTIAL_MISSING
 */
export async function readCredential(name: string, source: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [, kind, where = ''] = /^(env|file|command):(.+)$/s.exec(source) ?? []
  const text = await read(kind, where, env).catch(() => undefined)
  const secret = text?.trim() ?? ''
  if (secret.length >= SHORTEST && secret.length <= LONGEST) return secret
  const what =
    secret === ''
      ? `can't be read from its ${kind ?? 'source'}`
      : `has ${secret.length} characters; it needs ${SHORTEST} to ${LONGEST}`
  throw new GateError('CREDENTIAL_MISSING', `The secret ${name} ${what}.`)
}

async function read(
  kind: string | undefined,
  where: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (kind === 'env') return env[where]
  if (kind === 'file') return await readFile(where, 'utf8')
  const words = [...where.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  const [program = '', ...args] = words.map(([, double, single, plain]) => double ?? single ?? plain ?? '')
  const { stdout } = await promisify(execFile)(program, args, { timeout: 30_000, maxBuffer: LONGEST * 2 })
  return stdout
}
