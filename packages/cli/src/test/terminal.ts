// A command at a terminal: `script` makes one, as a person's window does.
import { spawn } from 'node:child_process'

/** A command line that runs at a terminal. */
export interface AtTerminal {
  /** All that the terminal shows. */
  shown(): string
  type(line: string): void
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** Runs a line of the shell at a terminal. */
export function atTerminal(
  line: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): AtTerminal {
  const child = spawn('script', ['-qefc', line, '/dev/null'], options)
  let shown = ''
  child.stdout.on('data', (part) => {
    shown += part
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { shown: () => shown, type: (text) => void child.stdin.write(`${text}\n`), ended }
}

/** Words for a shell. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}
