import type { Command } from './command.ts'
import { ask } from './commands/ask.ts'
import { fetchCommand } from './commands/fetch.ts'
import { check, init, log, revoke, schema, serve } from './commands/gate.ts'
import { addGrant, follow } from './commands/gate-follow.ts'
import { introduce } from './commands/gate-introduce.ts'
import { login } from './commands/gate-login.ts'
import { add, forget, grants, key, narrow, show } from './commands/grants.ts'
import { invoke } from './commands/invoke.ts'
import { mcp } from './commands/mcp.ts'
import { relay } from './commands/relay.ts'
import { revokePart } from './commands/revoke.ts'
import { run } from './commands/run.ts'
import { inspect, verify } from './commands/tokens.ts'
import { completionsFor } from './completions.ts'
import { wrongUsage } from './errors.ts'

const completions: Command = {
  name: 'completions',
  summary: 'Print a script that completes commands in your shell',
  operands: 'bash|zsh|fish',
  examples: [['source <(keyhole completions bash)', 'In ~/.bashrc']],
  async run({ positionals: [shell = '', ...more] }) {
    const text =
      (more.length === 0 ? completionsFor(shell, COMMANDS) : undefined) ??
      wrongUsage('Name your shell: bash, zsh or fish.')
    return { json: { script: text }, text: text.trimEnd() }
  },
}

/** All commands, in the order in which they are listed. */
export const COMMANDS: readonly Command[] = [
  key,
  ask,
  add,
  grants,
  show,
  forget,
  narrow,
  revokePart,
  invoke,
  fetchCommand,
  verify,
  inspect,
  run,
  mcp,
  init,
  check,
  introduce,
  serve,
  login,
  follow,
  log,
  revoke,
  addGrant,
  schema,
  relay,
  completions,
]
