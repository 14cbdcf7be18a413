import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports of this machine that no one listens at. @param {number} count */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const found = servers.map((server) => Number(Object(server.address()).port))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return found
}
