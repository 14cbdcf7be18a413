// Finds the NATS server that tests, benchmarks and the cluster start.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** @returns {string | undefined} Path of `nats-server`: from `KEYHOLE_NATS_SERVER`, the PATH or Go's folder; undefined if it is missing. */
export function natsServer() {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    process.env.GOBIN ?? '',
    join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
  ]
  return [
    process.env.KEYHOLE_NATS_SERVER ?? '',
    ...folders.map((folder) => join(folder, 'nats-server')),
  ].find((path) => path !== '' && existsSync(path) && spawnSync(path, ['--version']).status === 0)
}
