// What a service tells while it runs: for a program that collects logs a JSON object a line, for a person lines of text.
import type { Done, Given, Option } from './command.ts'
import { problemOf, USAGE, wrongUsage } from './errors.ts'
import { visible } from './values.ts'

export const LOG_FORMAT: Option = {
  type: 'string',
  value: 'FORMAT',
  help: 'How events are written to standard error: `json`, an object a line, or `text`. Default: text in a terminal, and json elsewhere',
}

type Level = 'info' | 'warn' | 'error'
type Fields = Readonly<Record<string, string | undefined>>

/** Writes events. None has a credential or an argument of a call in it. */
export interface EventLog {
  /** @param text for people too; without it only programs are told */
  info(event: string, fields?: Fields, text?: string): void
  warn(event: string, text: string): void
  /** Something failed, and the service goes on. */
  error(error: unknown): void
  /** A line that a server behind a gate wrote. */
  server(name: string, line: string): void
}

/** The log that the command line asks for. @throws CommandError */
export function eventLog(given: Given, clock: () => number = Date.now): EventLog {
  const { io } = given
  const isJson = writesJson(given)
  const write = (level: Level, event: string, fields: Fields, line: string | undefined) => {
    if (isJson) io.tell(JSON.stringify({ time: new Date(clock()).toISOString(), level, event, ...fields }))
    else if (line !== undefined) io.tell(visible(line))
  }
  return {
    info: (event, fields = {}, text) => {
      const message = text === undefined ? fields : { ...fields, message: text }
      write('info', event, message, text === undefined ? undefined : `keyhole: ${text}`)
    },
    warn: (event, text) => write('warn', event, { message: text }, `keyhole: ${text}`),
    error(error) {
      const { code, message } = problemOf(error)
      write('error', 'error', { code, message }, `keyhole: ${message}`)
    },
    server: (name, line) => write('info', 'server', { server: name, message: line }, `${name}: ${line}`),
  }
}

/** Runs a service, and writes into its log that it stopped, also if it failed. @throws what it failed with, where the log is for people, and for a wrong command line */
export async function logged(given: Given, run: (log: EventLog) => Promise<void>): Promise<Done> {
  const log = eventLog(given)
  try {
    await run(log)
    log.info('stopped')
    return { json: undefined, text: '' }
  } catch (error) {
    // A wrong command line is told to who typed it.
    if (!writesJson(given) || problemOf(error).exitCode === USAGE) throw error
    log.error(error)
    const { code, message, exitCode } = problemOf(error)
    return { json: { error: { code, message } }, text: '', exitCode }
  }
}

/** @throws CommandError */
function writesJson({ text, io }: Given): boolean {
  const format = text('log-format') ?? (io.isTerminal ? 'text' : 'json')
  if (format !== 'json' && format !== 'text') return wrongUsage('--log-format takes json or text.')
  return format === 'json'
}
