// A gate that runs as a process of its own, before an API on this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Value } from '../../../enclave/src/test/naive-evaluator.ts'
import { container, delegation, person } from '../../../enclave/src/test/naive-tokens.ts'
import type { Home } from './command.ts'

export const owner = person(1)
/** The credential of the API. */
export const KEY = 'key-of-the-api-9f8e7d'

/** What reached the API. */
export interface Reached {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** @returns what reached it, and its URL */
export async function startApi(answer: (request: Reached, response: ServerResponse) => void) {
  const reached: Reached[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method, url, headers } = request
    const one = { method, url, headers, body }
    reached.push(one)
    answer(one, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { reached, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Serves a gate before services. @returns its URL */
export async function startGate(
  at: Home,
  services: object,
  owners: readonly string[] = [owner.did],
  options: readonly string[] = [],
): Promise<{ readonly url: string; kill(): void }> {
  const config = { owners, vault: 'https://vault.example', data: './gate', services }
  await writeFile(join(at.folder, 'keyhole-gate.json'), JSON.stringify(config))
  const args = ['gate', 'serve', '--listen', '127.0.0.1:0', '--json', ...options]
  const env = { ...at.env, API_KEY: KEY }
  const gate = spawn(process.execPath, [at.program, ...args], { cwd: at.folder, env })
  onTestFinished(() => void gate.kill())
  const [said] = await once(gate.stdout, 'data')
  return { url: JSON.parse(String(said)).url, kill: () => void gate.kill('SIGKILL') }
}

/** Gives a holder a grant. */
export async function grant(at: Home, cmd: string, pol: unknown = []): Promise<void> {
  const did = String((await at.json(['key'])).said.did)
  const token = delegation(owner, { ...owner, did }, { cmd, pol: toValue(pol) })
  const { code, err } = await at.run(['add'], container([token]))
  if (code !== 0) throw new Error(err)
}

function toValue(from: unknown): Value {
  if (Array.isArray(from)) return from.map(toValue)
  if (typeof from === 'object' && from !== null)
    return new Map(Object.entries(from).map(([key, each]) => [key, toValue(each)]))
  return from as Value
}
