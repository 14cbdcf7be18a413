#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { run } from './cli.ts'

// A reader that went away, such as `head`, isn't a failure.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  read: () => text(process.stdin),
  print: (line) => process.stdout.write(`${line}\n`),
  tell: (line) => process.stderr.write(`${line}\n`),
})
