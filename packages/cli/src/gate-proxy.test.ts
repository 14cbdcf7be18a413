// `keyhole gate serve` behind a proxy: whose calls keep whom waiting.
import { expect, it } from 'vitest'
import { container, delegation, invocation, person } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'
import { owner, startGate } from './test/gate.ts'

const stranger = person(2)

/** A token that takes long to check. */
function costly(): string {
  const proofs = Array.from({ length: 40 }, () => delegation(owner, stranger, { cmd: '/http' }))
  return container([...proofs, invocation(stranger, owner, proofs, { cmd: '/http/get' })])
}

it('tells clients behind a proxy apart only if it is told to', async () => {
  const at = await home()
  const token = costly()
  const services = { api: { url: 'http://127.0.0.1:1', private: true } }
  /** Names of the refusals of calls that all come at once, each from another client. */
  const refusals = async (options: readonly string[]) => {
    const { url, kill } = await startGate(at, services, [owner.did], options)
    const from = async (_: unknown, client: number) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': `203.0.113.1, 192.0.2.${client}`,
      }
      const { error } = await (await fetch(`${url}/http/api`, { method: 'POST', headers })).json()
      return error.name
    }
    const names: unknown[] = await Promise.all(Array.from({ length: 200 }, from))
    kill()
    return new Set(names)
  }
  expect(await refusals([])).toContain('Busy')
  expect(await refusals(['--proxy'])).not.toContain('Busy')
})
