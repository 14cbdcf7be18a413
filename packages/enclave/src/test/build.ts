import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../..')

function lastChange(): number {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return Math.max(...sources.map((name) => statSync(join(folder, 'src', name)).mtimeMs))
}

/** Vitest's global set-up. Node's worker thread runs built code, so this builds it if it's missing or out of date. */
export default function build(): void {
  const built = statSync(join(folder, 'dist/node-worker.js'), { throwIfNoEntry: false })
  if (built && built.mtimeMs >= lastChange()) return
  const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('packages/enclave could not be built for its tests')
}
