// Packs the packages, installs the tarballs in fresh folders, as somebody does who has nothing else of this repository, and runs the first
// example of each README there as it is printed: the enclave's in Node, Bun and Deno, the vault's in pages that bundlers make, and in one that
// no bundler made. Usage: node scripts/checks/elsewhere-check.mjs [name …]; it needs the packages built, a browser, and the package registry.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { findBrowser } from '../browser.mjs'
import { root } from '../suites.mjs'

const PACKAGES = ['enclave', 'vault', 'vault-react', 'holder', 'connect', 'relay', 'verify', 'gate', 'cli']
/** What others run, by the names under which it is installed. */
const TOOLS = {
  bun: '1.4.5',
  deno: '2.9.6',
  node22: 'npm:node@22',
  node24: 'npm:node@24',
  node26: 'npm:node@26',
  esbuild: '0.28.2',
  vite: '8.3.8',
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
  react: '19.3.1',
  'react-dom': '19.3.1',
}
/** Milliseconds that a page may take to say what its example says. */
const PATIENCE = 60_000
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** What the vault's example says: a token's text. */
const TOKEN = /^[\w+/=-]{200,}$/

const folder = mkdtempSync(join(tmpdir(), 'keyhole-elsewhere-'))
const at = (/** @type {string[]} */ ...parts) => join(folder, ...parts)

/** @param {string} command @param {string[]} args */
function run(command, args, cwd = folder) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  })
}

function install() {
  const packed = run(
    'npm',
    [
      'pack',
      '--json',
      '--pack-destination',
      folder,
      ...PACKAGES.flatMap((name) => ['-w', `packages/${name}`]),
    ],
    root,
  )
  const tarballs = Object.values(JSON.parse(packed)).map(({ name, filename }) => [
    name,
    `file:${at(filename)}`,
  ])
  const dependencies = { ...Object.fromEntries(tarballs), ...TOOLS }
  writeFileSync(at('package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** The first example of a README, as it is printed. @param {string} readme */
function firstExample(readme) {
  const [, example] = /^```(?:js|ts|tsx)\n([\s\S]+?)^```/m.exec(readFileSync(readme, 'utf8')) ?? []
  if (example === undefined) throw new Error(`${readme} has no example.`)
  return example
}

const exampleOf = (/** @type {string} */ name) => firstExample(at('node_modules/@keyhole', name, 'README.md'))

/** @param {string} what @param {string} said @param {RegExp} expected */
function expectSaid(what, said, expected) {
  if (!expected.test(said))
    throw new Error(`${what}: its example said ${JSON.stringify(said.slice(0, 400))}, expected ${expected}.`)
}

/** The examples of the enclave's README, of the project's and of the holder's, by a runtime. @param {string} command @param {string[]} [args] */
const inRuntime =
  (command, args = []) =>
  () => {
    for (const [readme, expected] of [
      [at('node_modules/@keyhole/enclave/README.md'), /^true\n$/],
      [join(root, 'README.md'), /^false\n$/],
      [
        at('node_modules/@keyhole/holder/README.md'),
        /^https:\/\/vault\.example\/connect#keyhole-request-1\.[\w-]+\n$/,
      ],
    ]) {
      writeFileSync(at('example.mjs'), firstExample(readme))
      expectSaid(`${command}, ${readme}`, run(command, [...args, 'example.mjs']), expected)
    }
  }

const node = (/** @type {number} */ version) => inRuntime(at(`node_modules/node${version}/bin/node`))
const bin = (/** @type {string} */ name) => at('node_modules/.bin', name)

const page = (/** @type {string} */ head) =>
  `<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><body><div id="root"></div>${head}`
/** The files that no bundler copies which does not know \`new URL(…, import.meta.url)\`, where the bundle looks for them. */
function copyEnclave(/** @type {string} */ to) {
  for (const name of ['enclave.wasm', 'workers']) {
    cpSync(at('node_modules/@keyhole/enclave/dist', name), at(to, 'dist', name), { recursive: true })
  }
}

/** A fresh site with the vault's example in it, and how it is built. @param {(site: string) => void} build */
const inPage = (build) => async (/** @type {string} */ name) => {
  const site = `site-${name}`
  mkdirSync(at(site))
  writeFileSync(at(site, 'main.js'), exampleOf('vault'))
  build(site)
  expectSaid(name, await saidByPage(at(site, 'public')), TOKEN)
}

/** @type {Record<string, (name: string) => void | Promise<void>>} */
const ENVIRONMENTS = {
  'Node, this one': inRuntime(process.execPath),
  'Node 22': node(22),
  'Node 24': node(24),
  'Node 26': node(26),
  Bun: inRuntime(bin('bun')),
  Deno: inRuntime(bin('deno'), ['run', '--allow-all', '--quiet']),
  Vite: inPage((site) => {
    writeFileSync(at(site, 'index.html'), page('<script type="module" src="/main.js"></script>'))
    run(bin('vite'), ['build', '--logLevel', 'error', '--outDir', 'public'], at(site))
  }),
  'Vite, its dev server': async () => {
    const site = at('site-dev')
    mkdirSync(site)
    writeFileSync(join(site, 'main.js'), exampleOf('vault'))
    writeFileSync(join(site, 'index.html'), page('<script type="module" src="/main.js"></script>'))
    const { createServer: createDevServer } = await import(
      pathToFileURL(at('node_modules/vite/dist/node/index.js')).href
    )
    const server = await createDevServer({ root: site, logLevel: 'error', server: { port: 0 } })
    await server.listen()
    try {
      expectSaid('Vite', await saidBy(server.resolvedUrls.local[0]), TOKEN)
    } finally {
      await server.close()
    }
  },
  webpack: inPage((site) => {
    run(bin('webpack'), ['./main.js', '-o', 'public', '--mode', 'production', '--no-stats'], at(site))
    writeFileSync(at(site, 'public/index.html'), page('<script src="main.js"></script>'))
  }),
  esbuild: inPage((site) => {
    run(
      bin('esbuild'),
      ['main.js', '--bundle', '--splitting', '--format=esm', '--outdir=public', '--log-level=error'],
      at(site),
    )
    writeFileSync(at(site, 'public/index.html'), page('<script type="module" src="main.js"></script>'))
    copyEnclave(`${site}/public`)
  }),
  'no bundler': async () => {
    writeFileSync(at('main.js'), exampleOf('vault'))
    const map = `<script type="importmap">${importMap()}</script>`
    writeFileSync(at('index.html'), page(`${map}<script type="module" src="/main.js"></script>`))
    expectSaid('no bundler', await saidByPage(folder), TOKEN)
  },
  'a holder in a page': async () => {
    const site = at('site-holder')
    mkdirSync(join(site, 'public'), { recursive: true })
    // Two holders of one page have one key, which no script can read out.
    writeFileSync(
      join(site, 'main.js'),
      `import { createHolder } from '@keyhole/holder'
import { indexedDbStore } from '@keyhole/holder/browser'
const dids = await Promise.all([1, 2].map(() => createHolder({ store: indexedDbStore() }).did()))
const { privateKey } = await indexedDbStore().key()
console.log(new Set(dids).size === 1 && !privateKey.extractable ? dids[0] : 'two keys, or one to read out')`,
    )
    run(bin('esbuild'), ['main.js', '--bundle', '--format=esm', '--outdir=public', '--log-level=error'], site)
    writeFileSync(join(site, 'public/index.html'), page('<script type="module" src="main.js"></script>'))
    expectSaid('a holder in a page', await saidByPage(join(site, 'public')), /^did:key:z6Mk/)
  },
  'a relay': async () => {
    writeFileSync(at('relay.mjs'), exampleOf('relay'))
    for (const command of [process.execPath, at('node_modules/node22/bin/node')]) {
      const relay = spawn(command, ['relay.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(relay, 'exit')
      try {
        const [said] = await Promise.race([once(relay.stdout, 'data'), ended.then(() => ['nothing'])])
        expectSaid('a relay', String(said), /^http:\/\/127\.0\.0\.1:4280\/relay\n$/)
        const { status } = await fetch(`${String(said).trim()}/revocations`)
        if (status !== 401) throw new Error(`a relay: it answered a stranger ${status}.`)
      } finally {
        relay.kill()
        await ended
      }
    }
  },
  'a verifier': async () => {
    writeFileSync(at('verify.mjs'), exampleOf('verify'))
    for (const command of [process.execPath, at('node_modules/node22/bin/node')]) {
      const service = spawn(command, ['verify.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(service, 'exit')
      try {
        const [said] = await Promise.race([once(service.stdout, 'data'), ended.then(() => ['nothing'])])
        expectSaid('a verifier', String(said), /^http:\/\/127\.0\.0\.1:4290\/\n$/)
        const { status } = await fetch(String(said).trim())
        if (status !== 401) throw new Error(`a verifier: it answered a stranger ${status}.`)
      } finally {
        service.kill()
        await ended
      }
    }
    // What needs no Node is imported by the others.
    const entries = ['', '/fetch', '/hono', '/forward-auth'].map((name) => `import '@keyhole/verify${name}'`)
    writeFileSync(at('entries.mjs'), `${entries.join('\n')}\nconsole.log('ok')`)
    expectSaid('a verifier in Bun', run(bin('bun'), ['entries.mjs']), /^ok\n$/)
    expectSaid(
      'a verifier in Deno',
      run(bin('deno'), ['run', '--allow-all', '--quiet', 'entries.mjs']),
      /^ok\n$/,
    )
  },
  'a gate': async () => {
    writeFileSync(at('gate.mjs'), exampleOf('gate'))
    for (const command of [
      process.execPath,
      at('node_modules/node22/bin/node'),
      at('node_modules/node26/bin/node'),
    ])
      expectSaid('a gate', run(command, ['gate.mjs']), /^did:key:z6Mk\w+\n$/)
  },
  'the command': async () => {
    // Alone, from its tarball, as npx takes it.
    const alone = at('alone')
    mkdirSync(alone)
    writeFileSync(join(alone, 'package.json'), '{"private": true}')
    const [tarball] = readdirSync(folder).filter((name) => /^keyhole-\d.*\.tgz$/.test(name))
    const keyhole = (/** @type {string[]} */ ...args) =>
      run('npx', ['--yes', `--package=${at(String(tarball))}`, 'keyhole', ...args], alone)
    expectSaid('the command', keyhole('--version'), /^\d+\.\d+\.\d+\n$/)
    expectSaid(
      'the command',
      keyhole('ask', '/http/get', '--vault', 'https://vault.example'),
      /#keyhole-request-1\./,
    )
    expectSaid('the command', keyhole('gate', 'schema'), /"owners"/)
  },
  React: async () => {
    mkdirSync(at('site-react'))
    writeFileSync(at('site-react/example.tsx'), exampleOf('vault-react'))
    writeFileSync(
      at('site-react/main.tsx'),
      `import { createRoot } from 'react-dom/client'
import { App } from './example.tsx'
createRoot(document.getElementById('root')).render(<App />)
const root = document.getElementById('root')
const changed = new MutationObserver(() => {
  if (root.textContent && root.textContent !== 'The vault is starting.') console.log(root.textContent)
})
changed.observe(root, { childList: true, characterData: true, subtree: true })`,
    )
    run(
      bin('esbuild'),
      [
        'main.tsx',
        '--bundle',
        '--splitting',
        '--format=esm',
        '--jsx=automatic',
        '--outdir=public',
        '--log-level=error',
      ],
      at('site-react'),
    )
    writeFileSync(at('site-react/public/index.html'), page('<script type="module" src="main.js"></script>'))
    copyEnclave('site-react/public')
    expectSaid('React', await saidByPage(at('site-react/public')), /^The vault is /)
  },
}

/** Where a page without a bundler finds what the packages import, as the vault's README has it. */
function importMap() {
  const readme = readFileSync(at('node_modules/@keyhole/vault/README.md'), 'utf8')
  const [, map] = /^```json\n(\{\n {2}"imports"[\s\S]+?)^```/m.exec(readme) ?? []
  if (map === undefined) throw new Error('The README of the vault has no import map.')
  return map
}

/** What the example on a page of these files writes to the console. @param {string} files the folder that is served */
async function saidByPage(files) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname)
    const file = join(files, path === '/' ? 'index.html' : path)
    try {
      const bytes = readFileSync(file)
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream')
      response.end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    return await saidBy(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** What a page writes to the console first. @param {string} url */
async function saidBy(url) {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const tab = await browser.newPage()
    const said = new Promise((resolve, reject) => {
      tab.on('console', (message) => message.type() === 'log' && resolve(message.text()))
      tab.on('pageerror', reject)
      setTimeout(() => reject(new Error('The page said nothing.')), PATIENCE).unref()
    })
    // It may be said, or fail, before the page has loaded.
    said.catch(() => {})
    await tab.goto(url)
    return String(await said)
  } finally {
    await browser.close()
  }
}

const wanted = process.argv.slice(2)
let failed = 0
try {
  install()
  for (const [name, works] of Object.entries(ENVIRONMENTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    try {
      await works(name)
      console.log(`elsewhere: ${name} runs it.`)
    } catch (error) {
      failed += 1
      console.error(`elsewhere: ${name} does not run it: ${error instanceof Error ? error.message : error}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
