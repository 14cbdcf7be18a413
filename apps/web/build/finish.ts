import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { HOST_FILES, writeList } from '../src/server/build.js'
import { pagePolicy } from '../src/server/content-security-policy.js'
import { headersFor } from '../src/server/headers.js'
import { NOT_FOUND_PAGE } from '../src/server/pages.js'
import { headersFile, nginxFile, redirectsFile, vercelFile } from '../src/server/static-hosts.js'
import { writeBeginnings } from './beginnings.ts'
import { digestOf, pinScripts } from './integrity.ts'

const web = join(import.meta.dirname, '..')
const enclave = join(web, '../../packages/enclave/dist')
/** The enclave, and the one that a browser loads in its place if it is one of an account's devices. */
const PLUGINS = ['enclave.wasm', 'enclave-devices.wasm']
const COMPRESSED = /\.(?:js|css|html|svg|json|webmanifest|wasm|txt)$/
/** Files that are cached once a page has asked for them: a browser with one device never does. */
const ONCE_USED = ['enclave-devices.wasm']
/** Files that no client requests. */
const NOT_CACHED = [...HOST_FILES, NOT_FOUND_PAGE.slice(1), ...ONCE_USED]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort()
}

function writeHostFiles(dist: string): void {
  const policy = pagePolicy(readFileSync(join(dist, 'index.html'), 'utf8'))
  writeFileSync(join(dist, '_headers'), headersFile(policy))
  writeFileSync(join(dist, '_redirects'), redirectsFile())
  writeFileSync(join(dist, 'vercel.json'), vercelFile(policy))
  writeFileSync(join(dist, 'nginx.conf'), nginxFile(policy))
}

/** Lists every file of the build with its digest, for the service worker's cache. */
function precache(dist: string) {
  const digests = (paths: readonly string[]): Record<string, string> =>
    Object.fromEntries(paths.map((path) => [`/${path}`, digestOf(join(dist, path))]))
  const cached = filesBelow(dist).filter((path) => !NOT_CACHED.includes(path) && !path.endsWith('.map'))
  const [files, onceUsed] = [digests(cached), digests(ONCE_USED)]
  const version = createHash('sha256')
    .update(JSON.stringify([files, onceUsed]))
    .digest('hex')
    .slice(0, 16)
  return { version, files, onceUsed }
}

async function buildServiceWorker(dist: string): Promise<void> {
  await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    publicDir: false,
    define: { __PRECACHE__: JSON.stringify(precache(dist)) },
    build: {
      outDir: dist,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(web, 'src/sw/sw.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
}

function compress(dist: string): void {
  for (const path of filesBelow(dist).filter((path) => COMPRESSED.test(path) && !HOST_FILES.includes(path))) {
    const content = readFileSync(join(dist, path))
    if (content.length < 1024) continue
    writeFileSync(
      join(dist, `${path}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    )
    writeFileSync(join(dist, `${path}.gz`), gzipSync(content, { level: 9 }))
  }
}

/** Records which script imports which, and what each contains, for the budgets in scripts/checks/size-check.mjs. It isn't served. */
function writeGraph(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).flatMap((output) =>
    output.type === 'chunk'
      ? [
          [
            output.fileName,
            {
              imports: output.imports,
              dynamicImports: output.dynamicImports,
              modules: output.moduleIds.map((id) => relative(web, id)),
            },
          ],
        ]
      : [],
  )
  const folder = join(web, '.vite')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'graph.json'), JSON.stringify(Object.fromEntries(chunks)))
}

/** The scripts that contain one of our modules, and everything those import. */
function scriptsFor(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const [own] = chunks.filter(({ moduleIds }) => moduleIds.includes(join(web, module)))
  if (!own) throw new Error(`No script of the build has ${module}`)
  const found = new Set([own.fileName])
  for (const name of found) {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    for (const imported of chunk?.imports ?? []) found.add(imported)
  }
  return [...found]
}

/**
 * Runs after bundling: copies the enclave, pins scripts, writes the service worker and the headers for static hosts, compresses, and lists
 * all files.
 */
export function finish(): Plugin {
  let dist = ''
  return {
    name: 'keyhole:finish',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      dist = join(config.root, config.build.outDir)
    },
    // Not in closeBundle: that also runs after a failure and would hide its cause.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler(_options, bundle) {
        writeGraph(bundle)
        for (const name of PLUGINS) copyFileSync(join(enclave, name), join(dist, name))
        const assets = filesBelow(join(dist, 'assets')).map((name) => `assets/${relative('.', name)}`)
        pinScripts(dist, assets)
        await writeBeginnings(web, dist, { shown: scriptsFor(bundle, 'src/pages/connect/glance.ts') })
        await buildServiceWorker(dist)
        writeHostFiles(dist)
        compress(dist)
        // Last, because a running server picks up the build as soon as this file exists.
        writeList(dist)
      },
    },
  }
}

/** Serves the enclave at `/enclave.wasm` in development too, and the one with devices beside it. */
export function serveEnclave(): Plugin {
  return {
    name: 'keyhole:serve-enclave',
    configureServer(server) {
      for (const name of PLUGINS) {
        server.middlewares.use(`/${name}`, (_request, response) => {
          response.setHeader('Content-Type', 'application/wasm')
          response.end(readFileSync(join(enclave, name)))
        })
      }
    },
  }
}

/**
 * Sends the isolation headers in development too. The other headers are left out: the development server needs inline scripts and sockets.
 */
export function isolate(): Plugin {
  return {
    name: 'keyhole:isolate',
    configureServer(server) {
      server.middlewares.use(({ url = '/' }, response, next) => {
        const headers = headersFor(new URL(url, 'http://keyhole.invalid').pathname)
        for (const name of ['Cross-Origin-Opener-Policy', 'Cross-Origin-Embedder-Policy'])
          response.setHeader(name, headers[name] ?? '')
        next()
      })
    },
  }
}
