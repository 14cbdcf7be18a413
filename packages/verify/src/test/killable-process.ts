// The embedded stores in processes that can be killed.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { KillableBudgets } from '../budgets/budget-store.contract.ts'
import type { Killable } from '../claims/claim-store.contract.ts'
import type { KillableRevocations } from './revocation-store.contract.ts'

/** How many processes share the folder and are killed together. */
const PROCESSES = 2

/** Bundles the child, because Node 20 can't run TypeScript. @returns its path */
async function bundle(folder: string): Promise<string> {
  const file = join(folder, 'child.mjs')
  const lmdb = createRequire(import.meta.url).resolve('lmdb')
  const build = await rolldown({
    input: fileURLToPath(new URL('./claiming-child.ts', import.meta.url)),
    platform: 'node',
    external: [lmdb],
    resolve: { alias: { lmdb } },
  })
  await build.write({ file, format: 'esm' })
  return file
}

/**
 * @param folder for the program
 * @param data the folder of claims; that of revocations is `revocations` in it
 * @param longest maximum size of the store's file, in blocks of 512 bytes; default: no limit
 */
export async function killableProcesses(
  folder: string,
  data: string,
  longest?: number,
): Promise<Killable & KillableBudgets & KillableRevocations> {
  const file = await bundle(folder)
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>()
  let asked = 0
  let children: ChildProcess[] = []

  function rejectAll(): void {
    for (const each of waiting.values()) each.reject(new Error('It was killed.'))
    waiting.clear()
  }
  async function start(): Promise<ChildProcess> {
    const child =
      longest === undefined
        ? fork(file, [data], { execArgv: [] })
        : spawn('sh', ['-c', `ulimit -f ${longest}; exec "$0" "$@"`, process.execPath, file, data], {
            stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
          })
    await once(child, 'message')
    child.once('exit', rejectAll)
    child.on('message', (message) => {
      const { id, isDone, answer } = Object(message)
      const each = waiting.get(id)
      waiting.delete(id)
      if (isDone) each?.resolve(answer)
      else each?.reject(new Error('The store failed.'))
    })
    return child
  }
  async function end(): Promise<void> {
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
    rejectAll()
  }
  const startAll = async () => {
    children = await Promise.all(Array.from({ length: PROCESSES }, start))
  }

  const ask = (said: object) =>
    new Promise<unknown>((resolve, reject) => {
      asked += 1
      waiting.set(asked, { resolve, reject })
      const child = children[asked % PROCESSES]
      if (child?.connected) child.send({ id: asked, ...said }, (error) => error && reject(error))
      else reject(new Error('It was killed.'))
    })

  await startAll()
  return {
    claim: async (cid, until, now) => (await ask({ cid, until, now })) === true,
    async spend(spends, now) {
      const short = await ask({ spends, now })
      return typeof short === 'number' ? short : undefined
    },
    add: async (added) => (await ask({ added })) === true,
    async kill() {
      await end()
      await startAll()
    },
    close: end,
  }
}
