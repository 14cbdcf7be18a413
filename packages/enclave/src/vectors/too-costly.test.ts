// A file that asks for 4 GiB is refused before any memory is taken, as the linear memory shows, which never shrinks.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fetchVerified } from '../loading/source.ts'
import { Plugin } from '../plugin/plugin.ts'

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/keyhole/${name}`, import.meta.url), 'utf8'))

const calls: { name: string; input: unknown }[] = vector('too-costly.json').calls
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

async function start() {
  const wasm = await fetchVerified(undefined, { timeout: 30_000, signal: undefined })
  return Plugin.create(wasm, { allowedHosts: [] })
}

async function sizeOf(plugin: Plugin): Promise<number> {
  const memory = await plugin.memory()
  if (!memory) throw new Error('no memory')
  return memory.buffer.byteLength
}

it.each(calls)('$name refuses 4 GiB, and takes no memory for it', async ({ name, input }) => {
  const plugin = await start()
  const before = await sizeOf(plugin)
  const answer = JSON.parse((await plugin.call(name, encode(input))) ?? '{}')
  expect(answer).toMatchObject({ code: 'OPERATION_FAILED' })
  expect(answer.error).toContain('19 to 512 MiB')
  // An accepted cost takes at least 19 MiB.
  expect((await sizeOf(plugin)) - before).toBeLessThan(1024 * 1024)
})

it('takes memory for an accepted cost', async () => {
  const { state, passphrase } = vector('seal-v1.json')
  const plugin = await start()
  const before = await sizeOf(plugin)
  const answer = await plugin.call('unlock_vault', encode({ enclave: state, proof: { passphrase } }))
  expect(answer).toContain('"locked":false')
  expect((await sizeOf(plugin)) - before).toBeGreaterThan(19 * 1024 * 1024)
})
