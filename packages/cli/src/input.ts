import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Given } from './command.ts'
import { CommandError, FAILED, wrongUsage } from './errors.ts'

/** Longest text that is read. */
const LONGEST = 2_097_152

/** The text of the file that is named, or of standard input. Tokens are not taken from the command line: other users can see that. */
export async function readText({ positionals, io }: Given): Promise<string> {
  const [file, ...more] = positionals
  if (more.length > 0) wrongUsage('Name one file, or none to read standard input.')
  if (file && /^(?:keyhole-|[CP][\w-]{60})/.test(file))
    wrongUsage('Tokens are read from a file or standard input, not from the command line.')
  const text = file === undefined || file === '-' ? await io.read() : await fileText(resolve(io.cwd, file))
  if (text.length > LONGEST) throw new CommandError(FAILED, 'TOO_LONG', 'The text is longer than 2 MiB.')
  const trimmed = text.trim()
  return trimmed === '' ? wrongUsage('There is nothing to read.') : trimmed
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new CommandError(FAILED, 'FILE', `The file ${path} can't be read.`)
  }
}
