import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { processTime, timeOfOtherThreads } from './processor-time.ts'

/** Uses the processor for some milliseconds of it. */
function work(milliseconds: number) {
  const began = processTime()
  while (processTime() - began < milliseconds) Math.hypot(3, 4)
}

it('goes up with the work of this process', () => {
  const began = processTime()
  work(50)
  expect(processTime() - began).toBeGreaterThanOrEqual(50)
})

it('goes up with the work of another thread', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', () => {
       const began = process.cpuUsage()
       const used = () => { const { user, system } = process.cpuUsage(began); return user + system }
       while (used() < 100_000) Math.hypot(3, 4)
       parentPort.postMessage('done')
     })
     parentPort.postMessage('ready')`,
    { eval: true },
  )
  const next = () => new Promise((resolve) => worker.once('message', resolve))
  await next()
  const began = timeOfOtherThreads()
  const done = next()
  worker.postMessage('work')
  await done
  expect(timeOfOtherThreads() - began).toBeGreaterThan(50)
  await worker.terminate()
})

it.skipIf(!('threadCpuUsage' in process))("leaves out the caller's own work", () => {
  const began = timeOfOtherThreads()
  work(200)
  expect(timeOfOtherThreads() - began).toBeLessThan(150)
})
