import type { ParseArgsConfig } from 'node:util'
import type { Holder, HolderStore } from '@keyhole/holder'
import type { ExitCode } from './errors.ts'

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  /** What stands for its value in the help. */
  readonly value?: string
  readonly help: string
}

/** What a command was given. */
export interface Given {
  readonly io: Io
  readonly positionals: readonly string[]
  /** What stood after `--`. */
  readonly rest: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  has(name: string): boolean
  holder(): Holder
  /** Where that holder keeps its key and grants. */
  store(): HolderStore
}

/** What a command has done: for programs and for people. */
export interface Done {
  readonly json: unknown
  readonly text: string
  readonly exitCode?: number
}

export interface Command {
  /** Its words, such as `gate init`. */
  readonly name: string
  readonly summary: string
  /** Its operands in the help. */
  readonly operands?: string
  readonly options?: Readonly<Record<string, Option>>
  /** How it may end besides {@link EXIT_CODES}. */
  readonly exitCodes?: readonly ExitCode[]
  /** Each a line for the shell, and what it does. */
  readonly examples: readonly (readonly [string, string])[]
  run(given: Given): Promise<Done>
}

/** The world around a command. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** All of standard input. */
  read(): Promise<string>
  /** The same, to the byte. */
  bytes(): Promise<Buffer>
  /** A line on standard output. */
  print(text: string): void
  /** A line on standard error. */
  tell(text: string): void
  /** Whether a person sees what is told, not a program. */
  readonly isTerminal?: boolean
  /** How many letters a line of the terminal has; undefined if a program reads what is said. */
  readonly columns?: number
  /** Asks the person at the terminal, who has to type "yes"; undefined if there is no terminal. */
  readonly confirm?: (question: string) => Promise<boolean>
}

/** Options that every command has. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'Answer in JSON' },
  help: { type: 'boolean', short: 'h', help: 'Explain the command' },
  as: { type: 'string', value: 'NAME', help: 'Use the key and grants of this name instead of your own' },
}

/** The options as Node's parser takes them. */
export function parserOptions(
  options: Readonly<Record<string, Option>>,
): NonNullable<ParseArgsConfig['options']> {
  const each = Object.entries(options).map(([name, { type, short, multiple = false }]) => [
    name,
    { type, multiple, ...(short && { short }) },
  ])
  return Object.fromEntries(each)
}
