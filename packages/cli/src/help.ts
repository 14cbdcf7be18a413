import { COMMON, type Command } from './command.ts'
import { EXIT_CODES, type ExitCode } from './errors.ts'
import { VERSION } from './version.ts'

const PURPOSE = 'Hold grants from a Keyhole vault, and honour them'
const codesAsText = (codes: readonly ExitCode[]) =>
  `Exit codes: ${codes.map(({ code, meaning }) => `${code} ${meaning}`).join(', ')}.`

/** The first page: all commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    `${PURPOSE}.`,
    '',
    'Usage: keyhole COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '`keyhole COMMAND --help` explains one. `--json` gives an answer for programs.',
    codesAsText(EXIT_CODES),
  ].join('\n')
}

/** The page of one command. */
export function helpOf({
  name,
  summary,
  operands = '',
  options = {},
  exitCodes = [],
  examples,
}: Command): string {
  const rows = Object.entries({ ...options, ...COMMON }).map(([option, { short, value, help, multiple }]) => [
    `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`,
    `${help}${multiple ? '; may be repeated' : ''}`,
  ])
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return [
    `${summary}.`,
    '',
    `Usage: keyhole ${name}${operands ? ` ${operands}` : ''} [options]`,
    '',
    ...rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    ...(exitCodes.length > 0 ? [codesAsText(exitCodes), ''] : []),
    ...examples.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`, '']),
  ]
    .join('\n')
    .trimEnd()
}

/** The first page for programs: all commands, each as on its own page. */
export function overviewJson(commands: readonly Command[]) {
  return {
    name: 'keyhole',
    version: VERSION,
    summary: PURPOSE,
    exitCodes: EXIT_CODES,
    commands: commands.map(pageOf),
  }
}

/** The page of one command for programs. */
export const helpJson = (command: Command) => ({
  ...pageOf(command),
  exitCodes: [...EXIT_CODES, ...(command.exitCodes ?? [])],
})

function pageOf({ name, summary, operands, options = {}, exitCodes = [], examples }: Command) {
  return {
    name,
    summary,
    operands: operands ?? null,
    options: Object.entries({ ...options, ...COMMON }).map(
      ([option, { type, short = null, multiple = false, value = null, help }]) => ({
        name: option,
        short,
        type,
        value,
        repeatable: multiple,
        help,
      }),
    ),
    exitCodes,
    examples: examples.map(([line, what]) => ({ line, what })),
  }
}
