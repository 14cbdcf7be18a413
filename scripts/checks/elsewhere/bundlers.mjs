// The vault's first example in bundled pages and in one without a bundler, and the other packages that run in pages.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { page, pageOf, saidBy, saidByPage, TOKEN } from './pages.mjs'
import { at, bin, exampleOf, expectSaid, run, site } from './project.mjs'

/** The strictest policy that the READMEs promise to work with. */
const STRICT = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  'img-src data:',
].join('; ')

/** Copies the files that bundlers without support for `new URL(…, import.meta.url)` miss, to where the bundle looks for them. */
function copyEnclave(/** @type {string} */ to) {
  for (const name of ['enclave.wasm', 'workers']) {
    cpSync(at('node_modules/@keyhole/enclave/dist', name), join(to, 'dist', name), { recursive: true })
  }
}

/** @param {string} folder @param {string} input @param {string[]} [more] */
const esbuild = (folder, input, more = []) =>
  run(
    bin('esbuild'),
    [input, '--bundle', '--splitting', '--format=esm', '--outdir=public', '--log-level=error', ...more],
    folder,
  )

/** @param {string} folder @param {string[]} [more] */
const vite = (folder, more = []) =>
  run(bin('vite'), ['build', '--logLevel', 'error', '--outDir', 'public', ...more], folder)

/** A new site with the vault's example. @param {string} name */
function vaultSite(name) {
  const folder = site(`site-${name}`)
  writeFileSync(join(folder, 'main.js'), exampleOf('vault'))
  return folder
}

async function inVite() {
  const folder = vaultSite('vite')
  writeFileSync(join(folder, 'index.html'), pageOf('/main.js'))
  await vite(folder)
  expectSaid('Vite', await saidByPage(join(folder, 'public')), TOKEN)
}

async function inViteUnderABase() {
  const folder = vaultSite('vite-base')
  const base = '/shop/keys/'
  writeFileSync(join(folder, 'index.html'), pageOf('/main.js'))
  await vite(folder, ['--base', base])
  const visit = { base, headers: { 'Content-Security-Policy': STRICT } }
  expectSaid('Vite under a base', await saidByPage(join(folder, 'public'), visit), TOKEN)
}

async function inVitesDevServer() {
  const folder = vaultSite('vite-dev')
  writeFileSync(join(folder, 'index.html'), pageOf('/main.js'))
  const { createServer } = await import(pathToFileURL(at('node_modules/vite/dist/node/index.js')).href)
  const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0 } })
  await server.listen()
  try {
    expectSaid('Vite, its dev server', await saidBy(server.resolvedUrls.local[0]), TOKEN)
  } finally {
    await server.close()
  }
}

async function inWebpack() {
  const folder = vaultSite('webpack')
  await run(bin('webpack'), ['./main.js', '-o', 'public', '--mode', 'production', '--no-stats'], folder)
  writeFileSync(join(folder, 'public/index.html'), page('<script src="main.js"></script>'))
  expectSaid('webpack', await saidByPage(join(folder, 'public')), TOKEN)
}

async function inEsbuild() {
  const folder = vaultSite('esbuild')
  await esbuild(folder, 'main.js')
  writeFileSync(join(folder, 'public/index.html'), pageOf('main.js'))
  copyEnclave(join(folder, 'public'))
  expectSaid('esbuild', await saidByPage(join(folder, 'public')), TOKEN)
}

async function withoutBundler() {
  const readme = readFileSync(at('node_modules/@keyhole/vault/README.md'), 'utf8')
  const [, map] = /^```json\n(\{\n {2}"imports"[\s\S]+?)^```/m.exec(readme) ?? []
  if (map === undefined) throw new Error('The README of the vault has no import map.')
  writeFileSync(at('main.js'), exampleOf('vault'))
  const scripts = `<script type="importmap">${map}</script><script type="module" src="/main.js"></script>`
  writeFileSync(at('index.html'), page(scripts))
  expectSaid('no bundler', await saidByPage(at()), TOKEN)
}

async function inReact() {
  const folder = site('site-react')
  writeFileSync(join(folder, 'example.tsx'), exampleOf('vault-react'))
  writeFileSync(
    join(folder, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
import { App } from './example.tsx'
createRoot(document.getElementById('root')).render(<App />)
const root = document.getElementById('root')
const changed = new MutationObserver(() => {
  if (root.textContent && root.textContent !== 'The vault is starting.') console.log(root.textContent)
})
changed.observe(root, { childList: true, characterData: true, subtree: true })`,
  )
  await esbuild(folder, 'main.tsx', ['--jsx=automatic'])
  writeFileSync(join(folder, 'public/index.html'), pageOf('main.js'))
  copyEnclave(join(folder, 'public'))
  expectSaid('React', await saidByPage(join(folder, 'public')), /^The vault is /)
}

async function holderInPage() {
  const folder = site('site-holder')
  // Two holders on one page have the same key, which no script can read.
  writeFileSync(
    join(folder, 'main.js'),
    `import { createHolder } from '@keyhole/holder'
import { indexedDbStore } from '@keyhole/holder/browser'
const dids = await Promise.all([1, 2].map(() => createHolder({ store: indexedDbStore() }).did()))
const { privateKey } = await indexedDbStore().key()
console.log(new Set(dids).size === 1 && !privateKey.extractable ? dids[0] : 'two keys, or one to read out')`,
  )
  await esbuild(folder, 'main.js')
  writeFileSync(join(folder, 'public/index.html'), pageOf('main.js'))
  expectSaid('a holder in a page', await saidByPage(join(folder, 'public')), /^did:key:z6Mk/)
}

/** The example of `@keyhole/connect`, and a small vault built with `@keyhole/vault` that grants its request. */
async function connectInPage() {
  const folder = site('site-connect')
  writeFileSync(join(folder, 'example.ts'), exampleOf('connect'))
  writeFileSync(
    join(folder, 'main.ts'),
    `import { connectVault } from './example.ts'
const button = document.createElement('button')
button.textContent = 'Connect'
button.onclick = async () => {
  const { token, effective, holder } = await connectVault(location.origin)
  const { token: call } = await holder.invoke('/msg/send', { count: 3 })
  const refused = await holder.invoke('/msg/send', { count: 11 }).catch(({ code }) => code)
  console.log([effective.command, token.length > 200, call.length > 200, refused].join(' '))
}
document.body.append(button)`,
  )
  writeFileSync(
    join(folder, 'vault.ts'),
    `import { KeyVault } from '@keyhole/vault'
const protocol = 'keyhole-connect-1'
const vault = new KeyVault()
await vault.initialize()
await vault.create({ passphrase: 'correct horse battery staple', label: 'Alice' })
addEventListener('message', async ({ data, source, ports: [port] }) => {
  if (source !== opener || data.type !== 'request') return
  const { audience, command, policy } = data.request
  const { token } = await vault.tokens.grant({ audience_did: audience, command, policy })
  port.postMessage({ protocol, type: 'granted', token })
})
opener.postMessage({ protocol, type: 'ready' }, '*')`,
  )
  await esbuild(folder, 'main.ts')
  await esbuild(folder, 'vault.ts')
  copyEnclave(join(folder, 'public'))
  writeFileSync(join(folder, 'public/index.html'), pageOf('main.js'))
  site('site-connect/public/connect')
  writeFileSync(join(folder, 'public/connect/index.html'), pageOf('/vault.js'))
  const said = await saidByPage(join(folder, 'public'), { press: 'Connect' })
  expectSaid('connect', said, /^\/msg\/send true true MatchError$/)
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const bundlers = {
  Vite: inVite,
  'Vite under a base and a strict policy': inViteUnderABase,
  'Vite, its dev server': inVitesDevServer,
  webpack: inWebpack,
  esbuild: inEsbuild,
  'no bundler': withoutBundler,
  React: inReact,
  'a holder in a page': holderInPage,
  'connect in a page': connectInPage,
}
