// The pool of @keyhole/enclave in a page: Workers, our Content Security Policy and Trusted Types, the production build.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerOf, createEnclave, type Enclave, type ValidationResult } from '@keyhole/enclave'
import { test as base, expect } from '@playwright/test'
import { build } from 'vite'
import { createApp } from '../../src/server/app.js'

/** Builds the page like the client and serves it with the client's headers. */
async function servePage(): Promise<{ url: string; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-pool-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'pool-page'),
    logLevel: 'error',
    resolve: { conditions: ['keyhole-source', 'browser', 'module', 'import', 'default'] },
    build: { target: 'es2023', outDir: folder, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
  const server = createServer(createApp(folder))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Site {
  readonly url: string
  /** Invocations, and the results of one call in Node. */
  readonly invocations: string[]
  readonly expected: readonly ValidationResult[]
}

async function makeInvocations(enclave: Enclave): Promise<string[]> {
  await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' }).then(answerOf)
  const { issuer_did: subject_did } = await enclave.call('get_issuer_did').then(answerOf)
  const tokens = await Promise.all(
    Array.from({ length: 300 }, (_, count) =>
      enclave
        .call('invoke', {
          command: '/notes/read',
          args: { count },
          subject_did,
        })
        .then(answerOf),
    ),
  )
  const texts = tokens.map(({ token }) => token)
  const [first = ''] = texts
  // The last chunk has one that can't be read and one that was also in the first chunk.
  return [...texts, 'Cnonsense', first]
}

const test = base.extend<object, { site: Site }>({
  site: [
    async ({ browserName: _ }, use) => {
      const enclave = await createEnclave()
      const page = await servePage()
      try {
        const invocations = await makeInvocations(enclave)
        const { results } = await enclave
          .call('validate_batch', {
            invocations,
          })
          .then(answerOf)
        await use({ url: page.url, invocations, expected: results })
      } finally {
        page.close()
        await enclave.close()
      }
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ page, site }) => {
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(site.url)
  await expect(page.locator('body[data-ready]'), problems.join('\n')).toBeAttached()
})

test('a pool of Workers gives the same results as one call in Node, in order, and reports progress', async ({
  page,
  site: { invocations, expected },
}) => {
  const { results, progress, size } = await page.evaluate(async (texts) => {
    const progress: number[] = []
    const pool = await window.startPool()
    const results = await pool.validateBatch(
      { invocations: texts },
      { onProgress: ({ done }) => progress.push(done) },
    )
    const { size } = pool
    await pool.close()
    return { results, progress, size, cores: navigator.hardwareConcurrency }
  }, invocations)
  expect(results).toEqual(expected)
  expect(results.at(-1)).toMatchObject({ valid: false, error: { name: 'Replayed' } })
  expect(size).toBe(await page.evaluate(() => navigator.hardwareConcurrency))
  expect(progress.length).toBeGreaterThan(1)
  expect(progress.at(-1)).toBe(invocations.length)
  await expect.poll(() => page.workers().length).toBe(0)
})

test('an abort rejects with its reason, and the pool keeps working', async ({
  page,
  site: { invocations, expected },
}) => {
  const { reason, results } = await page.evaluate(async (texts) => {
    const pool = await window.startPool({ size: 2 })
    const caller = new AbortController()
    const { signal } = caller
    const aborted = pool.validateBatch({ invocations: texts }, { signal }).catch((error: unknown) => error)
    caller.abort('enough')
    const reason = await aborted
    const results = await pool.validateBatch({ invocations: texts })
    await pool.close()
    return { reason, results }
  }, invocations)
  expect(reason).toBe('enough')
  expect(results).toEqual(expected)
})

test('a Worker that ends is replaced', async ({ page, site: { invocations, expected } }) => {
  const pool = await page.evaluateHandle(() => window.startPool({ size: 1 }))
  const [worker] = page.workers()
  const ended = new Promise((resolve) => worker?.once('close', resolve))
  await worker?.evaluate(() => self.close()).catch(() => undefined)
  await ended
  const results = await pool.evaluate(
    (each, texts) => each.validateBatch({ invocations: texts }),
    invocations,
  )
  expect(results).toEqual(expected)
  await pool.evaluate((each) => each.close())
})
