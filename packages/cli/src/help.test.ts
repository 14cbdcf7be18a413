import { expect, it } from 'vitest'
import { run } from './cli.ts'
import { COMMANDS } from './commands.ts'
import { EXIT_CODES } from './errors.ts'

/** Runs a line in this process. Help reads and writes nothing. */
async function lines(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const never = () => Promise.reject(new Error('Nothing is read for help.'))
  const code = await run(args, {
    ...{ env: {}, cwd: '/nowhere', read: never, bytes: never },
    print: (line) => void out.push(line),
    tell: (line) => void err.push(line),
  })
  return { code, out: out.join('\n'), err }
}

/** The one JSON value that a line prints. */
async function said(...args: readonly string[]) {
  const { code, out, err } = await lines(...args)
  expect(err).toEqual([])
  return { code, json: JSON.parse(out) }
}

it('tells programs all commands, their options and the exit codes', async () => {
  const { code, json } = await said('help', '--json')
  expect(code).toBe(0)
  expect(json).toMatchObject({ name: 'keyhole', version: expect.any(String), exitCodes: EXIT_CODES })
  expect(json.commands.map(({ name }: { name: string }) => name)).toEqual(COMMANDS.map(({ name }) => name))
  for (const [at, { options = {} }] of COMMANDS.entries()) {
    const names = json.commands[at].options.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...Object.keys(options), 'json', 'help', 'as'])
  }
  for (const same of [['--json'], ['--help', '--json'], ['-h', '--json'], ['--json', 'help']])
    expect((await said(...same)).json).toEqual(json)
})

it('tells programs one command', async () => {
  const { code, json } = await said('narrow', '--help', '--json')
  expect(code).toBe(0)
  expect(json).toMatchObject({ name: 'narrow', operands: null, exitCodes: EXIT_CODES })
  expect(json.options).toContainEqual({
    name: 'limit',
    short: null,
    type: 'string',
    value: 'JSON',
    repeatable: true,
    help: expect.any(String),
  })
  for (const { line } of json.examples) expect(line).toContain('keyhole narrow')
  for (const same of [
    ['help', 'narrow', '--json'],
    ['--json', 'narrow', '-h'],
    ['narrow', '--json', '--help'],
  ])
    expect((await said(...same)).json).toEqual(json)
  expect((await said('help', 'gate', 'init', '--json')).json.name).toBe('gate init')
  expect((await said('run', '--help', '--json')).json.exitCodes.at(-1).code).toBe(127)
  expect((await said('--version', '--json')).json).toEqual({ version: expect.any(String) })
})

it('says which command it does not know', async () => {
  expect(await said('help', 'nope', '--json')).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } })
  expect(await said('help', 'gate', '--json')).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } })
  // What comes after -- is another program's.
  expect((await lines('run', '--help', '--', 'x', '--json')).out).toMatch(/^Run a program/)
})

it('is for people otherwise', async () => {
  const { code, out } = await lines('help')
  expect(code).toBe(0)
  expect(out).toContain('Exit codes: 0 done, 1 the answer is no, 2 wrong command line, 3 it failed.')
  expect((await lines('run', '--help')).out).toContain('127 there is no such program')
})
