#!/usr/bin/env node
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { run } from './cli.ts'

// A reader that went away, such as `head`, isn't a failure.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
})

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

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  read: () => text(process.stdin),
  bytes: () => buffer(process.stdin),
  print: (line) => process.stdout.write(`${line}\n`),
  tell: (line) => process.stderr.write(`${line}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm }),
})
