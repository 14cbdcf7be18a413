import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringifyJson } from '@keyhole/enclave'
import { createHolder, type HolderStore } from '@keyhole/holder'
import { defaultStore, fileStore, holderFolder } from '@keyhole/holder/node'
import { COMMON, type Command, type Given, type Io, parserOptions } from './command.ts'
import { COMMANDS } from './commands.ts'
import { problemOf, wrongUsage } from './errors.ts'
import { helpJson, helpOf, overview, overviewJson } from './help.ts'
import { visible, withDates } from './values.ts'
import { VERSION } from './version.ts'

/** Runs a command line. @returns the exit code */
export async function run(args: readonly string[], io: Io): Promise<number> {
  // What comes after `--` is another program's.
  const end = args.indexOf('--')
  const isJson = args.slice(0, end < 0 ? args.length : end).includes('--json')
  try {
    return await runCommand(args, io, isJson)
  } catch (error) {
    const { code, exitCode, message } = problemOf(error)
    if (isJson) io.print(JSON.stringify({ error: { code, message } }))
    // A person's answer, a gate or a relay may have a part in it.
    else io.tell(`keyhole: ${withDates(message).split('\n').map(visible).join('\n')}`)
    return exitCode
  }
}

async function runCommand(args: readonly string[], io: Io, isJson: boolean): Promise<number> {
  const answer = (json: unknown, text: string) => {
    io.print(isJson ? stringifyJson(json) : text)
    return 0
  }
  const [first, ...more] = args[0] === '--json' ? args.slice(1) : args
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    const words = more.filter((each) => !each.startsWith('-'))
    if (words.length === 0) return answer(overviewJson(COMMANDS), overview(COMMANDS))
    const asked = commandOf(words)
    return answer(helpJson(asked), helpOf(asked))
  }
  if (first === '--version') return answer({ version: VERSION }, VERSION)
  const command = commandOf([first, ...more])
  const words = command.name.split(' ').length
  const given = read(command, [first, ...more].slice(words), io)
  if (given.has('help')) return answer(helpJson(command), helpOf(command))
  const { json, text, exitCode = 0 } = await command.run(given)
  if (isJson) {
    if (json !== undefined) io.print(stringifyJson(json))
  } else if (text !== '') io.print(text)
  return exitCode
}

function commandOf(args: readonly string[]): Command {
  const [first = '', second] = args
  const known =
    COMMANDS.find(({ name }) => name === `${first} ${second}`) ?? COMMANDS.find(({ name }) => name === first)
  if (known) return known
  const inside = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (inside.length > 0) return wrongUsage(`Say which: ${inside.join(', ')}.`)
  return wrongUsage(
    `There is no command ${JSON.stringify(first.slice(0, 40))}. \`keyhole --help\` lists them.`,
  )
}

function read(command: Command, args: readonly string[], io: Io): Given {
  const end = args.indexOf('--')
  const [own, rest] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)]
  const { values, positionals } = parse(command, own)
  checkOperands(command, positionals, rest)
  const of = (name: string) => values[name]
  const texts = (name: string) => [of(name)].flat().filter((each) => typeof each === 'string')
  return {
    io,
    positionals,
    rest,
    texts,
    text: (name) => texts(name)[0],
    has: (name) => of(name) === true,
    holder: () => createHolder({ store: storeOf(texts('as')[0], io.env) }),
    store: () => storeOf(texts('as')[0], io.env),
  }
}

/** What a command doesn't take is a mistake: `keyhole key work` would show another key than the one that is meant. */
function checkOperands(
  { name, operands = '' }: Command,
  positionals: readonly string[],
  rest: readonly string[],
) {
  const takesProgram = operands.includes('-- ')
  const [extra] = [...(operands === '' || takesProgram ? positionals : []), ...(takesProgram ? [] : rest)]
  if (extra !== undefined)
    wrongUsage(
      `\`keyhole ${name}\` does not take ${JSON.stringify(extra.slice(0, 40))}. \`keyhole ${name} --help\` explains it.`,
    )
}

function parse({ name, options = {} }: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: parserOptions({ ...options, ...COMMON }),
      allowPositionals: true,
    })
  } catch (error) {
    // Node's first sentence says what is wrong.
    const [why = ''] = String(error instanceof Error ? error.message : error).split('. ')
    return wrongUsage(`${why.replace(/\.$/, '')}. \`keyhole ${name} --help\` explains it.`)
  }
}

function storeOf(name: string | undefined, env: NodeJS.ProcessEnv): HolderStore {
  if (name === undefined) return env.KEYHOLE_KEY ? defaultStore(env) : fileStore(holderFolder(env))
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    wrongUsage('--as takes a name of lower-case letters, digits and hyphens.')
  return fileStore(join(holderFolder(env), '..', 'holders', name))
}
