import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Sandbox } from '../engine/sandbox.ts'
import { functionNamed } from './index.ts'
import { literal, snippet } from './snippet.ts'

describe('literal', () => {
  it('writes code that evaluates to the same value', () => {
    const value = {
      a: 'it’s "quoted" and \'so\' \\ on\n',
      'not-a-name': [1, -2.5, true, null],
      big: 2n ** 60n,
      deep: { list: [['==', '.a', { b: [] }]], empty: {}, long: 'x'.repeat(90) },
    }
    // biome-ignore lint/security/noGlobalEval: this is what the test checks
    expect(globalThis.eval(`(${literal(value)})`)).toEqual(value)
  })
})

describe('the code shown', () => {
  // Node finds the built package from here.
  const folder = mkdtempSync(
    fileURLToPath(new URL('../../../../../../packages/enclave/dist/demo-', import.meta.url)),
  )
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.make({})
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await sandbox?.enclave.close()
  })

  it.each(['new_origin_token', 'verify_token', 'unlock_vault', 'validate_invocation'])(
    '%s runs',
    async (name) => {
      const chosen = functionNamed(name)
      const code = snippet(chosen.name, await chosen.input(sandbox))
      const given = `const sealed = ${literal(sandbox.sealed)}\nconst passphrase = ${literal(sandbox.passphrase)}\n`
      const script = join(folder, `${name}.mjs`)
      writeFileSync(script, given + code)
      const log = vi.spyOn(console, 'log').mockReturnValue()
      await import(/* @vite-ignore */ pathToFileURL(script).href)
      expect(log.mock.calls).toHaveLength(1)
      expect(log.mock.calls[0]?.[0]).not.toHaveProperty('error')
      log.mockRestore()
    },
  )
})
