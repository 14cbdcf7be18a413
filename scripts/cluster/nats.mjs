// NATS servers on loopback, as one cluster whose disks are written with each message.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the configurations. Nothing runs yet.
 * @param {string} program
 * @param {string} folder
 * @param {readonly number[]} ports Two for each server: for clients, and for the others
 */
export function natsNodes(program, folder, ports) {
  const count = ports.length / 2
  const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`)
  return Array.from({ length: count }, (_, node) => {
    const data = join(folder, `nats-${node}`)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const config = join(folder, `nats-${node}.conf`)
    const log = join(folder, `nats-${node}.log`)
    const listen = `127.0.0.1:${ports[count + node]}`
    writeFileSync(
      config,
      `server_name: nats-${node}
listen: "127.0.0.1:${ports[node]}"
jetstream { store_dir: ${JSON.stringify(data)}, sync_interval: always, max_file: 32G }
cluster { name: keyhole, listen: "${listen}", routes: ${JSON.stringify(routes)} }
`,
    )
    return {
      address: `127.0.0.1:${ports[node]}`,
      start: () => started(() => spawn(program, ['-c', config, '-l', log], { stdio: 'ignore' }), log),
    }
  })
}

/** What a server logs once all listen to it. It says that it is ready, and ends if the port for the others is taken. */
const READY = ['Server is ready', 'Listening for route connections']

/** @param {() => import('node:child_process').ChildProcess} start @param {string} log */
async function started(start, log) {
  writeFileSync(log, '')
  const child = start()
  const isReady = () => READY.every((line) => readFileSync(log, 'utf8').includes(line))
  while (child.exitCode === null && !isReady())
    await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, 50))])
  if (child.exitCode !== null) throw new Error(`cluster: ${readFileSync(log, 'utf8')}`)
  return child
}
