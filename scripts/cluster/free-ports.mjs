import { once } from 'node:events'
import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

// From 32768 on, systems give ports to whoever connects: also that of a server that was killed, before it is started again.
const FIRST = 10_000
const PLACES = 480
const EACH = 41

/** Processes that look for ports at the same time begin far from each other. */
let next = FIRST + ((37 * (process.pid + 97 * threadId)) % PLACES) * EACH

/** Ports of this machine that no one listens at. @param {number} count */
export async function freePorts(count) {
  const found = []
  while (found.length < count) {
    if (await isFree(next)) found.push(next)
    next = next < FIRST + PLACES * EACH ? next + 1 : FIRST
  }
  return found
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
