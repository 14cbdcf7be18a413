// How a command ends. 0: done. The numbers never change.
import { HolderError } from '@keyhole/holder'

/** The answer is no: a token is invalid, no grant covers the call, the person declined. */
export const NO = 1
/** The command line is wrong. */
export const USAGE = 2
/** It can't be done now: a file, a server or a network failed. */
export const FAILED = 3

/** An exit code, and what it says. */
export interface ExitCode {
  readonly code: number
  readonly meaning: string
}

/** How every command ends. */
export const EXIT_CODES: readonly ExitCode[] = [
  { code: 0, meaning: 'done' },
  { code: NO, meaning: 'the answer is no' },
  { code: USAGE, meaning: 'wrong command line' },
  { code: FAILED, meaning: 'it failed' },
]

/** Ends a command. The message is for people, and has no secret in it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: string
  readonly exitCode: number

  constructor(exitCode: number, code: string, message: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

/** @throws CommandError always, with the exit code 2 */
export function wrongUsage(message: string): never {
  throw new CommandError(USAGE, 'USAGE', message)
}

/** Codes of a holder that are failures; the rest are an answer. */
const FAILURES = ['StoreFailed', 'RelayFailed', 'KeyExposed', 'NoKey', 'Unsupported']

/** What went wrong, and the exit code for it. */
export function problemOf(error: unknown): { code: string; message: string; exitCode: number } {
  if (error instanceof CommandError) return error
  if (error instanceof HolderError) {
    const { code, message } = error
    const exitCode = code === 'InvalidInput' ? USAGE : FAILURES.includes(code) ? FAILED : NO
    return { code, message, exitCode }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'FAILED'
  return { code, message: error instanceof Error ? error.message : String(error), exitCode: FAILED }
}
