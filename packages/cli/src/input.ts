import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Given, Io } from './command.ts'
import { CommandError, FAILED, wrongUsage } from './errors.ts'

/** Longest text that is read. */
const LONGEST = 2_097_152

/** The text of the file that is named, or of standard input. Tokens are not taken from the command line: other users can see that. */
export async function readText({ positionals, io }: Given): Promise<string> {
  const path = namedFile(io, positionals)
  const [file] = positionals
  if (file && /^(?:keyhole-|[CP][\w-]{60})/.test(file))
    wrongUsage('Tokens are read from a file or standard input, not from the command line.')
  const text = path === undefined ? await io.read() : (await fileBytes(path)).toString('utf8')
  if (text.length > LONGEST) throw new CommandError(FAILED, 'TOO_LONG', 'The text is longer than 2 MiB.')
  const trimmed = text.trim()
  return trimmed === '' ? wrongUsage('There is nothing to read.') : trimmed
}

/** The path of the one file that is named; undefined for standard input. @throws CommandError USAGE */
export function namedFile({ cwd }: Pick<Io, 'cwd'>, [file, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) wrongUsage('Name one file, or none to read standard input.')
  return file === undefined || file === '-' ? undefined : resolve(cwd, file)
}

/** @throws CommandError FILE */
export async function fileBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    throw new CommandError(FAILED, 'FILE', `The file ${path} can't be read.`)
  }
}
