import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The most answers in progress on one connection. Node reads pipelined requests in one go, a thousand in 64 KB, and keeps them all until the
 * first answers are read: a few hundred connections would keep everyone waiting, and fill the memory.
 */
const MOST_AT_ONCE = 32

/** A listener for `node:http` that disconnects a client which sends more requests than 32 without waiting for answers. */
export function limitPipelining(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const open = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // The rest of what was read at once arrives here too.
    if (socket.destroyed) return
    const before = open.get(socket) ?? 0
    if (before === MOST_AT_ONCE) return void socket.destroy()
    open.set(socket, before + 1)
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1))
    listener(request, response)
  }
}
