import { spawn } from 'node:child_process'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const program = join(root, 'packages/cli/dist/keyhole.js')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A command that is running. */
export interface Started {
  /** The first line of its output. */
  line(): Promise<string>
  /** The first line that it tells on standard error. */
  told(): Promise<string>
  readonly ended: Promise<Ended>
  kill(signal?: NodeJS.Signals): void
}

/** A person's folder, in which commands run. */
export interface Home {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** How the command is started there. */
  readonly program: string
  run(args: readonly string[], input?: string): Promise<Ended>
  /** Starts one that waits. */
  start(args: readonly string[]): Started
  /** Runs it with --json. */
  json(
    args: readonly string[],
    input?: string,
  ): Promise<{ readonly code: number | null; readonly said: Record<string, unknown> }>
}

function firstLine(from: Readable): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    from.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
}

export async function home(more: Readonly<Record<string, string>> = {}): Promise<Home> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'keyhole-cli-')))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: join(folder, 'data'), ...more }
  const start = (args: readonly string[], input = ''): Started => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env })
    let [out, err] = ['', '']
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const [line, told] = [firstLine(child.stdout), firstLine(child.stderr)]
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, out, err }))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    return { line: () => line, told: () => told, ended, kill: (signal) => void child.kill(signal) }
  }
  const run = async (args: readonly string[], input = '') => await start(args, input).ended
  return {
    folder,
    env,
    program,
    run,
    start,
    async json(args, input) {
      const { code, out } = await run([...args, '--json'], input)
      return { code, said: Object(JSON.parse(out)) }
    },
  }
}
