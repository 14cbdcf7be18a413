// Pages on this check's own server, in a real Chromium, and what they write to the console.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../../browser.mjs'

/** How long a page may take to print its example's output, in milliseconds. */
const PATIENCE = 60_000
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** What the vault's example prints: a token's text. */
export const TOKEN = /^[\w+/=-]{200,}$/

/** The page of a site. @param {string} head its scripts */
export const page = (head) =>
  `<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><body><div id="root"></div>${head}`

/** A page with one script. @param {string} src */
export const pageOf = (src) => page(`<script type="module" src="${src}"></script>`)

/**
 * @typedef {{base?: string, headers?: Record<string, string>, press?: string}} Visit the site's path, the headers to send, and a button to press
 */

/**
 * What the example on a page of these files writes to the console.
 * @param {string} files the folder to serve
 * @param {Visit} [visit]
 */
export async function saidByPage(files, { base = '/', headers = {}, press } = {}) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname)
    const file = join(files, path.startsWith(base) ? path.slice(base.length) : 'none')
    try {
      const name = extname(file) === '' ? join(file, 'index.html') : file
      const bytes = readFileSync(name)
      for (const [key, value] of Object.entries(headers)) response.setHeader(key, value)
      response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream')
      response.end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    return await saidBy(`http://127.0.0.1:${port}${base}`, press)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The first thing a page writes to the console. @param {string} url @param {string} [press] a button to press first */
export async function saidBy(url, press) {
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
    // It may be printed, or fail, before the page has loaded.
    said.catch(() => {})
    await tab.goto(url)
    if (press !== undefined) await tab.getByRole('button', { name: press }).click()
    return String(await said)
  } finally {
    await browser.close()
  }
}
