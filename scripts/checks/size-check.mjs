// Checks the built client against the budgets of scripts/checks/size-budgets.json, in bytes after brotli.
// "Initial" is every script that index.html loads or preloads, plus the client that the first of them starts, with all static imports.
// A route is what opening it loads beyond what `/` does: its own script with all static imports. Parts that it loads without an action (a
// tab) may each be as large again. What only an action loads has no budget.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from '../suites.mjs'

const web = join(root, 'apps/web')
const dist = join(web, 'dist')
const ROUTES = ['identity', 'register', 'payment', 'search', 'demo']
/** What the page for apps starts with, and the vault that answers. */
const CONNECT = [
  'src/pages/connect/glance.ts',
  'src/app/entries/connect.tsx',
  'src/app/layout/connect-layout.tsx',
  'src/pages/connect/connect-page.tsx',
]
/** The client. Importing its script runs it. */
const CLIENT = 'src/app/entries/main.tsx'
const DEMO_APP = 'src/app/entries/demo-app.tsx'
/** Loaded by an action on a page, not by opening it. */
const ON_REQUEST = /zxcvbn|node_modules\/qr\//

/** @typedef {Record<string, {imports: string[], dynamicImports: string[], modules: string[]}>} Graph */
/** @typedef {{raw: number, gzip: number, brotli: number}} Sizes */

/** @returns {Graph} */
const readGraph = () => JSON.parse(readFileSync(join(web, '.vite/graph.json'), 'utf8'))
const readPage = () => readFileSync(join(dist, 'index.html'), 'utf8')

/** @param {Graph} graph @param {Iterable<string>} from @returns {Set<string>} These scripts, and everything they import statically. */
function closure(graph, from) {
  const found = new Set()
  const queue = [...from]
  while (queue.length > 0) {
    const path = queue.pop()
    if (!path || found.has(path)) continue
    found.add(path)
    queue.push(...(graph[path]?.imports ?? []))
  }
  return found
}

/** @param {Graph} graph @param {string} module @returns {string} The script that contains one of our modules. */
function scriptOf(graph, module) {
  const found = Object.keys(graph).find((path) => graph[path]?.modules.includes(module))
  if (!found) throw new Error(`No script of the build has ${module}.`)
  return found
}

/**
 * Requires that a page with an entry of its own doesn't import the client's script, nor what it loads later: that would run the client there.
 * @param {Graph} graph @param {string} module
 */
function requireNoClient(graph, module) {
  const page = scriptOf(graph, module)
  const client = scriptOf(graph, CLIENT)
  if (closure(graph, [page, ...(graph[page]?.dynamicImports ?? [])]).has(client))
    throw new Error(`${module} would run the client with ${client}. Look at apps/web/build/chunks.ts.`)
}

/** @param {Iterable<Buffer>} contents @returns {Sizes} */
function sizes(contents) {
  const sum = { raw: 0, gzip: 0, brotli: 0 }
  for (const content of contents) {
    sum.raw += content.length
    sum.gzip += gzipSync(content).length
    sum.brotli += brotliCompressSync(content).length
  }
  return sum
}

/** @param {Iterable<string>} paths */
const scripts = (paths) => sizes([...paths].map((path) => readFileSync(join(dist, path))))

/**
 * @param {Graph} graph @param {Set<string>} have @param {string} route
 * @returns {Record<string, Sizes>} The route, and its largest part.
 */
function routeSizes(graph, have, route) {
  const own = scriptOf(graph, `src/app/routes/${route}.tsx?tsr-split=component`)
  const always = closure(graph, [own])
  const lazy = new Set(
    [...always].flatMap((path) => (have.has(path) ? [] : (graph[path]?.dynamicImports ?? []))),
  )
  const parts = [...lazy]
    .map((part) => [...closure(graph, [part])].filter((path) => !have.has(path) && !always.has(path)))
    .filter((paths) => !paths.some((path) => graph[path]?.modules.some((id) => ON_REQUEST.test(id))))
    .map(scripts)
  const largest = parts.reduce((most, part) => (part.brotli > most.brotli ? part : most), scripts([]))
  return {
    [`/${route}, beyond that`]: scripts([...always].filter((path) => !have.has(path))),
    [`/${route}, its largest part`]: largest,
  }
}

/**
 * What our libraries add to an app, with all dependencies, minified as an app's bundler would.
 * @param {string} source a module that exports what the app uses
 * @returns {Promise<{first: Sizes, all: Sizes}>} what loads with the app, and that plus what loads later
 */
async function librarySize(source) {
  const bundle = await rolldown({
    input: 'app',
    cwd: root,
    platform: 'browser',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? join(root, 'app.js') : null),
        load: (id) => (id === join(root, 'app.js') ? source : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  const chunks = output.filter((each) => each.type === 'chunk')
  const first = new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]),
  )
  const code = chunks.map(({ fileName, code }) => ({ fileName, bytes: Buffer.from(code) }))
  return {
    first: sizes(code.filter(({ fileName }) => first.has(fileName)).map(({ bytes }) => bytes)),
    all: sizes(code.map(({ bytes }) => bytes)),
  }
}

/** @returns {Promise<Record<string, Sizes>>} */
async function librarySizes() {
  const connect = await librarySize("export * from '@keyhole/connect'")
  const withKey = await librarySize(
    "export { connect, connectByRedirect, resumeConnection } from '@keyhole/connect'",
  )
  const holder = await librarySize("export * from '@keyhole/holder'")
  const inPage = await librarySize("export * from '@keyhole/holder'\nexport * from '@keyhole/holder/browser'")
  return {
    '@keyhole/connect, before it needs a key': connect.first,
    '@keyhole/connect, with a key of its own': withKey.all,
    '@keyhole/holder': holder.all,
    '@keyhole/holder, and its store for pages': inPage.all,
  }
}

/** @returns {Promise<Record<string, Sizes>>} The size of everything that has a budget. */
export async function measure() {
  const graph = readGraph()
  const page = readPage()
  const loaded = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path ?? '')
  const initial = closure(graph, [...loaded, scriptOf(graph, CLIENT)])
  const shell = closure(graph, [
    scriptOf(graph, 'src/app/layout/layout.tsx'),
    scriptOf(graph, 'src/app/routes/index.tsx?tsr-split=component'),
  ])
  const home = new Set([...initial, ...shell])
  for (const module of [...CONNECT, DEMO_APP]) requireNoClient(graph, module)
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  return {
    'index.html': sizes([Buffer.from(page)]),
    'initial JavaScript': scripts(initial),
    'vault and home, after it': scripts([...shell].filter((path) => !initial.has(path))),
    ...Object.assign({}, ...ROUTES.map((route) => routeSizes(graph, home, route))),
    '/connect, beyond that': scripts(
      [
        ...closure(
          graph,
          CONNECT.map((module) => scriptOf(graph, module)),
        ),
      ].filter((path) => !home.has(path)),
    ),
    '/demo-app, beyond that': scripts(
      [...closure(graph, [scriptOf(graph, DEMO_APP)])].filter((path) => !home.has(path)),
    ),
    ...(await librarySizes()),
    'style sheet': sizes([Buffer.from(style)]),
    'enclave.wasm': sizes([readFileSync(join(root, 'packages/enclave/dist/enclave.wasm'))]),
    'enclave-devices.wasm': sizes([readFileSync(join(root, 'packages/enclave/dist/enclave-devices.wasm'))]),
  }
}

async function main() {
  if (!existsSync(join(dist, 'index.html')))
    throw new Error('The client is not built: run npm run build first.')
  const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'size-budgets.json'), 'utf8'))
  for (const [name, { raw, gzip, brotli }] of Object.entries(await measure())) {
    const budget = budgets[name]
    const over = !(brotli <= budget)
    console.log(
      `${over ? 'OVER' : 'ok  '} ${name}: ${brotli} bytes brotli of ${budget} (${gzip} gzip, ${raw} raw)`,
    )
    if (over) process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
