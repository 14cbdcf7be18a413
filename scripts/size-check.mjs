// Holds the built client to the budgets of scripts/size-budgets.json, in bytes after brotli.
// What counts as initial: every script that index.html loads or preloads, with everything those import statically.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from './suites.mjs'

const dist = join(root, 'apps/web/dist')

/** Static imports of a built module: `import … from "./x.js"`, `import"./x.js"`, `export … from "./x.js"`. */
function staticImports(source) {
  return [...source.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g)].map(([, path]) => path)
}

/** The files that the page needs before it is ready, by path below the client's folder. */
export function initialScripts() {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const found = new Set()
  const queue = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path)
  while (queue.length > 0) {
    const path = queue.pop()
    if (!path || found.has(path)) continue
    found.add(path)
    const source = readFileSync(join(dist, path), 'utf8')
    queue.push(...staticImports(source).map((relative) => join(dirname(path), relative)))
  }
  return [...found]
}

const sizes = (files) => {
  const contents = files.map((file) => readFileSync(file))
  const sum = (measure) => contents.reduce((total, content) => total + measure(content), 0)
  return {
    raw: sum((c) => c.length),
    gzip: sum((c) => gzipSync(c).length),
    brotli: sum((c) => brotliCompressSync(c).length),
  }
}

/** @returns {Record<string, {raw: number, gzip: number, brotli: number}>} Bytes of what has a budget. */
export function measure() {
  const css = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'))
  return {
    'initial JavaScript': sizes(initialScripts().map((path) => join(dist, path))),
    'style sheets': sizes(css.map((name) => join(dist, 'assets', name))),
    'enclave.wasm': sizes([join(root, 'packages/enclave/dist/enclave.wasm')]),
  }
}

function main() {
  if (!existsSync(join(dist, 'index.html')))
    throw new Error('The client is not built: run npm run build first.')
  const budgets = JSON.parse(readFileSync(join(import.meta.dirname, 'size-budgets.json'), 'utf8'))
  for (const [name, { raw, gzip, brotli }] of Object.entries(measure())) {
    const budget = budgets[name]
    const over = !(brotli <= budget)
    console.log(
      `${over ? 'OVER' : 'ok  '} ${name}: ${brotli} bytes brotli of ${budget} (${gzip} gzip, ${raw} raw)`,
    )
    if (over) process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
