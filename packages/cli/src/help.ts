import { COMMON, type Command } from './command.ts'

/** The first page: all commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'Hold grants from a Keyhole vault, and honour them.',
    '',
    'Usage: keyhole COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '`keyhole COMMAND --help` explains one. `--json` gives an answer for programs.',
    'Exit codes: 0 done, 1 the answer is no, 2 wrong command line, 3 it failed.',
  ].join('\n')
}

/** The page of one command. */
export function helpOf({ name, summary, operands = '', options = {}, examples }: Command): string {
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
    ...examples.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`, '']),
  ]
    .join('\n')
    .trimEnd()
}
