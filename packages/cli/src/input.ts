import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Given, Io } from './command.ts'
import { CommandError, FAILED, wrongUsage } from './errors.ts'

/** Longest text that is read, in bytes. */
export const LONGEST_TEXT = 2_097_152

/**
 * All that comes, unless it is longer than that: then the rest isn't read, since it may have no end.
 * @throws CommandError TOO_LONG
 */
export async function gather(
  from: AsyncIterable<Uint8Array | string>,
  most: number,
  what: string,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of from) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > most)
      throw new CommandError(FAILED, 'TOO_LONG', `The ${what} is longer than ${most / 1_048_576} MiB.`)
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** All of a file. @throws CommandError FILE, TOO_LONG */
export async function readBytes(path: string, most: number, what: string): Promise<Buffer> {
  try {
    return await gather(createReadStream(path), most, what)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(FAILED, 'FILE', whyUnread(path, Object(error)))
  }
}

function whyUnread(path: string, { code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${path}. Check its name.`
  if (code === 'EISDIR') return `${path} is a folder. Name a file in it.`
  if (code === 'EACCES' || code === 'EPERM') return `You may not read the file ${path}. Check who may.`
  return `The file ${path} can't be read${code ? ` (${code})` : ''}.`
}

/** For an input without anything in it. @throws CommandError */
export function nothingIn(path: string | undefined): never {
  return wrongUsage(
    path === undefined
      ? 'Standard input is empty. Paste or pipe the text into it, or name a file.'
      : `The file ${path} is empty.`,
  )
}

/** The text of the file that is named, or of standard input. Tokens are not taken from the command line: other users can see that. */
export async function readText({ positionals, io }: Given): Promise<string> {
  const path = namedFile(io, positionals)
  const [file] = positionals
  if (file && /^(?:keyhole-|[CP][\w-]{60})/.test(file))
    wrongUsage('Tokens are read from a file or standard input, not from the command line.')
  const text = path === undefined ? await io.read() : (await readBytes(path, LONGEST_TEXT, 'text')).toString()
  const trimmed = text.trim()
  return trimmed === '' ? nothingIn(path) : trimmed
}

/** The path of the one file that is named; undefined for standard input. @throws CommandError USAGE */
export function namedFile({ cwd }: Pick<Io, 'cwd'>, [file, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) wrongUsage('Name one file, or none to read standard input.')
  return file === undefined || file === '-' ? undefined : resolve(cwd, file)
}
