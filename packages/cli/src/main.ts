#!/usr/bin/env node
import { createInterface } from 'node:readline'
import { run } from './cli.ts'
import { FAILED } from './errors.ts'
import { gather, LONGEST_TEXT } from './input.ts'
import { LONGEST_BODY } from './service-body.ts'

// A reader that went away, such as `head`, isn't a failure: what the command found is still its exit code. A full disk is.
process.stdout.on('error', (error) => {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EPIPE') return void setImmediate(() => process.exit())
  process.stderr.write(`keyhole: The answer can't be written (${code}).\n`)
  process.exit(FAILED)
})
// No one may read what is told there.
process.stderr.on('error', () => {})

/** Only a person at a terminal is asked: what is piped in could agree to anything. */
function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    // Without an answer, at the end of the input, it is no.
    lines.once('close', () => resolve(false))
    lines.question(`${question} `, (answer) => {
      resolve(answer.trim().toLowerCase() === 'yes')
      lines.close()
    })
  })
}

/** Of a terminal that doesn't say how wide it is. */
const COLUMNS = 80

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  read: async () => (await gather(process.stdin, LONGEST_TEXT, 'text')).toString(),
  bytes: () => gather(process.stdin, LONGEST_BODY, 'body'),
  print: (line) => process.stdout.write(`${line}\n`),
  tell: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stderr.isTTY === true,
  ...(process.stdout.isTTY && process.stderr.isTTY && { columns: process.stdout.columns || COLUMNS }),
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm }),
})
