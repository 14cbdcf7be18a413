// Skipped without `nats-server`, except where there is no server to reach.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { startNats } from '../../../relay/src/test/nats-servers.ts'
import { VerifyError } from '../errors.ts'
import { connectNats } from './connect-nats.ts'

const program = natsServer()

it('says that no server can be reached', async () => {
  await expect(connectNats({ servers: ['127.0.0.1:1'] })).rejects.toMatchObject({
    code: 'NO_CLUSTER',
    message: expect.stringContaining('127.0.0.1:1'),
  })
})

it.each([
  'nats://keeper:hidden@127.0.0.1:1',
  'keeper:hidden@127.0.0.1:1',
  'nats://keeper:1#hidden@127.0.0.1:1',
])('repeats no password of an address: %s', async (address) => {
  const error = await connectNats({ servers: [address] }).catch((reason) => reason)
  expect(error).toBeInstanceOf(VerifyError)
  expect(inspect(error, { depth: 10 })).not.toContain('hidden')
})

it.skipIf(program === undefined)(
  'tries another server if one says nothing, and connects again however often it is cut off',
  async () => {
    const accepted: Socket[] = []
    const silent = createServer((socket) => void accepted.push(socket))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const servers = await startNats(program ?? '', 1)
    const known = await servers.connect()
    const address = known.getServer()
    await known.close()
    const connection = await connectNats({
      servers: [`127.0.0.1:${(silent.address() as AddressInfo).port}`, address],
    })
    expect(connection.getServer()).toBe(address)
    for (let time = 0; time < 3; time += 1) {
      await servers.kill(0)
      await servers.start(0)
      await vi.waitFor(() => connection.rtt(), { timeout: 60_000, interval: 100 })
    }
    await connection.close()
    await servers.end()
    for (const socket of accepted) socket.destroy()
    silent.close()
  },
)
