// A built client in memory. Later changes to its files don't affect what is served.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { pagePolicy } from './content-security-policy.js'
import { pagePath } from './pages.js'

/** Files in a build's folder that configure static hosts and aren't served. */
export const HOST_FILES = ['_headers', '_redirects', 'vercel.json', 'nginx.conf']

/** The list of a build's files with their digests. It is written last: if it is there and matches, the build is complete. */
export const LIST = '.build.json'

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The compressed forms of a file, smallest first: the encoding's name and the file name's ending. */
export const ENCODINGS = /** @type {const} */ ([
  ['br', '.br'],
  ['gzip', '.gz'],
])

/** @typedef {{body: Buffer, etag: string}} Form one form of a file, and its strong entity tag */
/** @typedef {{type: string, plain: Form, encoded: ReadonlyMap<string, Form>}} ServedFile `encoded` by the encoding's name */
/** @typedef {import('./content-security-policy.js').PagePolicy} PagePolicy */
/** @typedef {{files: ReadonlyMap<string, ServedFile>, policy: PagePolicy}} Build `files` by their address: `/sw.js` */

/** @param {Buffer} content */
const digestOf = (content) => createHash('sha256').update(content).digest('base64url')

/** @param {string} name below the folder, with `/` @returns whether it is anything to serve */
function isServed(name) {
  return !HOST_FILES.includes(name) && !name.split('/').some((part) => part.startsWith('.'))
}

/** @param {string} folder */
function namesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .sort()
}

/** @param {ReadonlyMap<string, Buffer>} contents by name @returns {Build} */
function toBuild(contents) {
  /** @param {Buffer} body @param {string} [suffix] */
  const form = (body, suffix = '') => ({ body, etag: `"${digestOf(body).slice(0, 22)}${suffix}"` })
  /** @type {Map<string, ServedFile>} */
  const files = new Map()
  for (const [name, body] of contents) {
    const compressed = ENCODINGS.some(
      ([, suffix]) => name.endsWith(suffix) && contents.has(name.slice(0, -3)),
    )
    if (compressed || !isServed(name)) continue
    /** @type {Map<string, Form>} */
    const encoded = new Map()
    for (const [encoding, suffix] of ENCODINGS) {
      const other = contents.get(name + suffix)
      if (other) encoded.set(encoding, form(other, suffix))
    }
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    files.set(`/${name}`, { type, plain: form(body), encoded })
  }
  const landing = files.get(pagePath('index'))
  if (!landing) throw new Error(`There is no ${pagePath('index').slice(1)}: no client was built here.`)
  return { files, policy: pagePolicy(landing.plain.body.toString('utf8')) }
}

/**
 * Reads a folder's current content. A file that disappears in the meantime is left out.
 * @param {string} folder
 * @returns {Build}
 * @throws {Error} if it has no built client
 */
export function readBuild(folder) {
  /** @type {Map<string, Buffer>} */
  const contents = new Map()
  for (const name of namesBelow(folder)) {
    const path = join(folder, name)
    try {
      if (statSync(path).isFile()) contents.set(name, readFileSync(path))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return toBuild(contents)
}

/** Finishes a build by writing the list of its files. @param {string} folder */
export function writeList(folder) {
  const names = namesBelow(folder).filter((name) => name !== LIST && statSync(join(folder, name)).isFile())
  const files = Object.fromEntries(names.map((name) => [name, digestOf(readFileSync(join(folder, name)))]))
  writeFileSync(join(folder, LIST), `${JSON.stringify({ files }, null, 2)}\n`)
}

/**
 * Reads a file, but only a plain one: reading a pipe could wait forever.
 * @param {string} path
 * @throws {Error} if there is none
 */
async function readPlainFile(path) {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`)
  return await readFile(path)
}

/**
 * Reads a build by its list.
 * @param {string} folder
 * @returns {Promise<Build>}
 * @throws {Error} if the list is missing or a file doesn't match it, because the build is still being written
 */
async function readWholeBuild(folder) {
  /** @type {unknown} */
  const list = JSON.parse((await readPlainFile(join(folder, LIST))).toString('utf8'))
  const files = typeof list === 'object' && list !== null && 'files' in list ? list.files : undefined
  if (typeof files !== 'object' || files === null) throw new Error(`${LIST} lists no files`)
  /** @type {Map<string, Buffer>} */
  const contents = new Map()
  for (const [name, digest] of Object.entries(files)) {
    if (name.split('/').includes('..')) throw new Error(`${LIST} names a file outside of its folder`)
    const content = await readPlainFile(join(folder, name))
    if (digestOf(content) !== digest) throw new Error(`${name} is not the file that was built`)
    contents.set(name, content)
  }
  return toBuild(contents)
}

/** Identifies the list, or undefined if there is none. @param {string} folder */
async function listMark(folder) {
  try {
    const { ino, mtimeNs, size } = await stat(join(folder, LIST), { bigint: true })
    return `${ino}:${mtimeNs}:${size}`
  } catch {
    return undefined
  }
}

/** @param {string} folder */
function listMarkNow(folder) {
  const found = statSync(join(folder, LIST), { bigint: true, throwIfNoEntry: false })
  return found && `${found.ino}:${found.mtimeNs}:${found.size}`
}

/** How long to wait before reading an incomplete build again, in milliseconds. */
const PAUSE = 1000

/** The build being served: the newest complete one, plus the scripts of the one before for pages that started with it. */
export class CurrentBuild {
  #folder
  #build
  #mark
  /** @type {ReadonlyMap<string, ServedFile>} */
  #older = new Map()
  /** @type {Promise<void> | undefined} */
  #refreshing
  #notBefore = 0

  /** @param {string} folder @throws {Error} if it has no built client */
  constructor(folder) {
    this.#folder = folder
    this.#mark = listMarkNow(folder)
    this.#build = readBuild(folder)
  }

  /** What the page itself may run. */
  get policy() {
    return this.#build.policy
  }

  /** @param {string} pathname */
  find(pathname) {
    return this.#build.files.get(pathname) ?? this.#older.get(pathname)
  }

  /** Switches to a new build if there is a complete one. Otherwise nothing changes. Never rejects. */
  refresh() {
    this.#refreshing ??= this.#takeUp().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #takeUp() {
    const mark = await listMark(this.#folder)
    if (mark === undefined || mark === this.#mark || performance.now() < this.#notBefore) return
    try {
      const next = await readWholeBuild(this.#folder)
      this.#older = new Map([...this.#build.files].filter(([path]) => path.startsWith('/assets/')))
      this.#build = next
      this.#mark = mark
    } catch {
      // The build is being written, or was changed by hand. Keep serving the old one.
      this.#notBefore = performance.now() + PAUSE
    }
  }
}
