// The vault page, built and served like the client, with the same headers. For the browser tests and for bench/.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enclaveServedAt } from '@keyhole/enclave/vite'
import { build } from 'vite'
import { createApp } from '../../src/server/app.js'

const ENCLAVE = join(import.meta.dirname, '../../../../packages/enclave/dist')

/** @typedef {{url: string, close(): void}} Site `url` ends with a slash. */

/**
 * Serves a folder with a built page on its own port.
 * @param {string} folder
 * @returns {Promise<Site>}
 */
export async function serveFolder(folder) {
  const server = createServer(createApp(folder))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://localhost:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Builds the vault page and serves it.
 * @returns {Promise<Site>}
 */
export async function serveVaultPage() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-vault-page-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'vault-page'),
    logLevel: 'error',
    resolve: { conditions: ['keyhole-source', 'browser', 'module', 'import', 'default'] },
    plugins: [enclaveServedAt('/enclave.wasm', '/enclave-devices.wasm')],
    build: {
      target: 'es2023',
      outDir: folder,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  for (const name of ['enclave.wasm', 'enclave-devices.wasm'])
    copyFileSync(join(ENCLAVE, name), join(folder, name))
  const assets = join(folder, 'assets')
  for (const name of readdirSync(assets).filter((each) => each.startsWith('shared-worker')))
    copyFileSync(join(assets, name), join(assets, name.replace(/\.js$/, '-other.js')))
  const site = await serveFolder(folder)
  return {
    url: site.url,
    close: () => {
      site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
