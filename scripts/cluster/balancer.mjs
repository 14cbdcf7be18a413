// A balancer of connections, as a stand-in for the real one in front of gates or relays: takes turns, and goes on to the next if one
// doesn't accept.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** @param {number} port @param {() => readonly number[]} targets Ports that are there, as far as known */
export async function balance(port, targets) {
  let turn = 0
  /** @type {Set<import('node:net').Socket>} */
  const open = new Set()
  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    turn += 1
    const all = targets()
    const order = all.map((_, at) => all[(turn + at) % all.length])
    const tryNext = () => {
      const target = order.shift()
      if (target === undefined) return void client.destroy()
      const onward = connect(target, '127.0.0.1')
      let isThere = false
      onward.once('connect', () => {
        isThere = true
        client.pipe(onward).pipe(client)
      })
      onward.on('error', () => (isThere ? client.destroy() : tryNext()))
      onward.once('close', () => isThere && client.destroy())
      client.once('close', () => onward.destroy())
    }
    tryNext()
  })
  await once(server.listen({ port, host: '127.0.0.1', backlog: 4_096 }), 'listening')
  return {
    close() {
      server.close()
      for (const client of open) client.destroy()
    },
  }
}
