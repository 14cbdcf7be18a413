// Starts NATS servers for a test, on free ports of the loopback address.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { vi } from 'vitest'
import { freePorts } from '../../../../scripts/cluster/free-ports.mjs'
import { type ForgetfulDisk, forgetfulDisk } from './forgetful-disk.ts'

export interface NatsServers {
  /** Connects to one server, or to any. */
  connect(node?: number): Promise<NatsConnection>
  /** Kills a server without a shutdown; one on a forgetful disk by cutting its power. */
  kill(node: number): Promise<void>
  start(node: number): Promise<void>
  /** Resolves when the servers can create a stream. */
  ready(): Promise<void>
  end(): Promise<void>
}

/** Starts one server, or a cluster of several. @param isForgetful whether each has a disk that forgets what was not synced when it is killed */
export async function startNats(program: string, count: number, isForgetful = false): Promise<NatsServers> {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-nats-'))
  const ports = await freePorts(2 * count)
  const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`)
  const running = new Map<number, ChildProcess>()
  const disks = new Map<number, ForgetfulDisk>()

  for (let node = 0; node < count; node += 1) {
    const cluster =
      count === 1
        ? ''
        : `cluster { name: test, listen: "127.0.0.1:${ports[count + node]}", routes: ${JSON.stringify(routes)} }`
    const text = `server_name: node${node}
listen: "127.0.0.1:${ports[node]}"
jetstream { store_dir: ${JSON.stringify(join(folder, `node${node}`))}, sync_interval: always, max_file: 32G }
${cluster}
`
    const data = join(folder, `node${node}`)
    await mkdir(data)
    if (isForgetful) disks.set(node, await forgetfulDisk(join(folder, `disk${node}`), data))
    await writeFile(join(folder, `node${node}.conf`), text)
  }

  const servers: NatsServers = {
    connect: (node) =>
      connect({
        servers: (node === undefined ? ports.slice(0, count) : [ports[node]]).map(
          (port) => `127.0.0.1:${port}`,
        ),
        waitOnFirstConnect: true,
        reconnectTimeWait: 100,
        maxReconnectAttempts: -1,
        ignoreClusterUpdates: node !== undefined,
      }),
    async kill(node) {
      const server = running.get(node)
      running.delete(node)
      if (!server || server.exitCode !== null) return
      const disk = disks.get(node)
      // It must not see the disk go: then it could do something about it.
      if (disk) server.kill('SIGSTOP')
      await disk?.cut()
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGKILL')
      await ended
      await disk?.restore()
    },
    async start(node) {
      const log = join(folder, `node${node}.log`)
      await writeFile(log, '')
      // It says that it is ready, and ends if the port for the others is taken.
      const lines = ['Server is ready', ...(count === 1 ? [] : ['Listening for route connections'])]
      const server = spawn(program, ['-c', join(folder, `node${node}.conf`), '-l', log], { stdio: 'ignore' })
      running.set(node, server)
      await vi.waitFor(
        async () => {
          if (server.exitCode !== null) throw new Error(await readFile(log, 'utf8'))
          const said = await readFile(log, 'utf8')
          if (!lines.every((line) => said.includes(line))) throw new Error('Not ready yet.')
        },
        { timeout: 30_000 },
      )
    },
    async ready() {
      const connection = await servers.connect()
      try {
        const { jetstreamManager } = await import('@nats-io/jetstream')
        const name = `ready_${Date.now()}`
        await vi.waitFor(
          async () => {
            const manager = await jetstreamManager(connection, { timeout: 1_000 })
            await manager.streams.add({ name, subjects: [name], num_replicas: count })
            await manager.streams.delete(name)
          },
          { timeout: 60_000, interval: 200 },
        )
      } finally {
        await connection.close()
      }
    },
    async end() {
      for (const node of [...running.keys()]) await servers.kill(node)
      for (const disk of disks.values()) await disk.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await Promise.all(Array.from({ length: count }, (_, node) => servers.start(node)))
  await servers.ready()
  return servers
}
