import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../test/parts.ts'
import { type Entry, readLog } from './read-log.ts'
import { fileLog } from './receipt-log.ts'

const entry = (call: string, at = new Date().toISOString()): Entry => ({
  at,
  server: 'files',
  command: '/mcp/tools/call',
  name: 'read',
  issuer: 'did:key:a',
  subject: 'did:key:b',
  call,
  task: `task-${call}`,
  grants: [],
  outcome: 'ok',
})

async function logged(sign: (entry: Entry) => Promise<string> = async ({ task }) => `signed ${task}`) {
  const path = join(await folder(), 'log', 'receipts.jsonl')
  const errors: unknown[] = []
  const start = () => fileLog({ path, sign, onError: (error) => errors.push(error), clock: Date.now })
  return { path, errors, start }
}

describe('a call', () => {
  it('is written down at once, and its receipt soon after', async () => {
    const { path, start } = await logged()
    const log = start()
    await Promise.all(Array.from({ length: 100 }, (_, at) => log.append(entry(`call-${at}`))))
    expect(await readLog(path, 1_000)).toHaveLength(100)
    await expect.poll(async () => (await readLog(path, 1_000)).every(({ receipt }) => receipt)).toBe(true)
    for (const { task, receipt } of await readLog(path, 1_000)) expect(receipt).toBe(`signed ${task}`)
    await log.close()
  })

  it('has its receipt when the log is closed', async () => {
    const { path, start } = await logged()
    const log = start()
    await log.append(entry('one'))
    await log.close()
    expect(await readLog(path, 10)).toMatchObject([{ call: 'one', receipt: 'signed task-one' }])
  })

  it('that a process left without a receipt gets it from the next', async () => {
    const { path, errors, start } = await logged()
    const first = start()
    await first.append(entry('old', '2026-01-01T00:00:00.000Z'))
    await first.close()
    const lines = (await readFile(path, 'utf8')).split('\n')
    // Killed between the two lines, the second torn.
    await writeFile(path, `${lines[0]}\n${lines[1]?.slice(0, 20)}`)
    const next = start()
    await next.append(entry('new'))
    await next.close()
    const found = await readLog(path, 10)
    expect(found.find(({ call }) => call === 'old')).toMatchObject({ receipt: 'signed task-old' })
    expect(found.find(({ call }) => call === 'new')).toMatchObject({ receipt: 'signed task-new' })
    expect(errors).toEqual([])
  })

  it('is left out if its line is not whole, and so are lines about something else', async () => {
    const { path, start } = await logged()
    const log = start()
    await log.append(entry('one'))
    await log.close()
    const { outcome: _, ...torn } = entry('torn')
    const others = [torn, { ...entry('other'), grants: 'none' }, { call: 'x', at: 5 }, null, []]
    await writeFile(path, others.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag: 'a' })
    expect((await readLog(path, 10)).map(({ call }) => call)).toEqual(['one'])
  })

  it('whose receipt fails is still in the log, and the failure is told', async () => {
    const { path, errors, start } = await logged(async () => {
      throw new Error('no key')
    })
    const log = start()
    await log.append(entry('one'))
    await log.close()
    expect(await readLog(path, 10)).toMatchObject([{ call: 'one' }])
    expect(errors).toHaveLength(1)
  })
})

it('goes on in a new file after the old one was moved away', async () => {
  const { path, start } = await logged()
  const log = start()
  await log.append(entry('one'))
  await expect.poll(async () => (await readLog(path, 1)).at(0)?.receipt).toBe('signed task-one')
  await expect
    .poll(async () => {
      await rename(path, `${path}.1`).catch(() => {})
      await log.append(entry('two'))
      return (await readLog(path, 10)).some(({ call }) => call === 'two')
    })
    .toBe(true)
  await log.close()
})

it('reads the latest calls of a long log, whatever is in it', async () => {
  const path = join(await folder(), 'receipts.jsonl')
  const line = (at: number) => `${JSON.stringify({ ...entry(`é-${at}`), receipt: 'r' })}\n`
  await writeFile(path, Array.from({ length: 5_000 }, (_, at) => line(at)).join(''))
  await appendFile(path, `not JSON\n{"call":1}\n[]\n\n{"call":"x","receipt":"y"}\n{"at":`)
  expect((await readLog(path, 2_500)).map(({ call }) => call)).toEqual(
    Array.from({ length: 2_500 }, (_, at) => `é-${2_500 + at}`),
  )
  expect(await readLog(path, 10_000)).toHaveLength(5_000)
  expect(await readLog(join(path, '..', 'none'), 10)).toEqual([])
})
