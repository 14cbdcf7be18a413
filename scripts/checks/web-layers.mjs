// The layers of apps/web, which no rule of the linter can say: it knows where an import leads, not from which feature it comes.
// Type imports count, and so do dynamic ones.
import { posix } from 'node:path'
import { parseSync } from 'vite'

export const SOURCES = 'apps/web/src'
/** Most source files in one folder; tests beside them are not counted. */
const MOST = 20

/**
 * What each folder of apps/web/src may import besides itself. Pages and features are closed to each other: "itself" is then the one
 * page, the one feature.
 */
const MAY = {
  app: ['pages', 'features', 'shared', 'server', 'locales'],
  pages: ['features', 'shared', 'locales'],
  features: ['shared', 'locales'],
  shared: ['locales'],
  server: ['shared', 'locales'],
  sw: ['locales'],
  // What tests share opens the whole client; no source imports it.
  test: ['app', 'features', 'shared', 'locales'],
  locales: [],
}
const CLOSED = ['pages', 'features']
/** What no source is: the file of a test. Only there may the helpers of tests be imported. */
const isTest = (path) => /\.test\.(?:tsx?|mjs)$|_test\.rs$|^crates\/\w+\/tests\//.test(path)

const isNode = (value) => typeof value === 'object' && value !== null

/** @param {unknown} node @param {(node: Record<string, unknown>) => void} visit */
function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  else if (isNode(node)) {
    visit(node)
    for (const each of Object.values(node)) if (isNode(each)) walk(each, visit)
  }
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/**
 * @param {string} path @param {string} text
 * @returns {string[]} What a file imports by a relative path: statically, as a type, dynamically, or as the address of a script.
 */
function relativeImports(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`)
  const found = []
  walk(program, (node) => {
    if (IMPORTING.has(node.type)) found.push(node.source?.value)
    if (node.type === 'NewExpression' && node.callee.name === 'URL') found.push(node.arguments[0]?.value)
  })
  return found
    .filter((name) => typeof name === 'string' && /^\.\.?\//.test(name))
    .map((name) => name.replace(/\?.*/, ''))
}

/**
 * @param {ReadonlyMap<string, string>} texts the sources, by their paths from the root of the project
 * @returns {Map<string, string[]>} Where each file's relative imports lead. A name without an ending is a script's.
 */
export function importsOf(texts) {
  const resolve = (from, name) => {
    const path = posix.join(posix.dirname(from), name)
    return ['', '.ts', '.tsx', '.js'].map((end) => path + end).find((each) => texts.has(each)) ?? path
  }
  return new Map(
    [...texts].map(([path, text]) => [path, relativeImports(path, text).map((name) => resolve(path, name))]),
  )
}

/** @param {string} path @returns {string[]} Its folders below apps/web/src; none for what lies elsewhere. */
const foldersOf = (path) => (path.startsWith(`${SOURCES}/`) ? path.slice(SOURCES.length + 1).split('/') : [])

/** @param {string} from @param {string} to @returns {boolean} */
function isAllowed(from, to) {
  const [layer = '', part] = foldersOf(from)
  const [other, otherPart] = foldersOf(to)
  // Elsewhere in the project the linter rules; of apps/web nothing else is part of the client.
  if (other === undefined) return !to.startsWith('apps/web/') || isTest(from)
  if (other === 'test') return isTest(from) || layer === 'test'
  if (layer === other) return !CLOSED.includes(layer) || part === otherPart
  return MAY[layer]?.includes(other) ?? false
}

/** @param {ReadonlyMap<string, readonly string[]>} imports @returns {string[]} Each import that points the wrong way. */
export function wrongWays(imports) {
  return [...imports].flatMap(([from, all]) =>
    all.filter((to) => !isAllowed(from, to)).map((to) => `${from} may not import ${to}`),
  )
}

/** @param {ReadonlyMap<string, Iterable<string>>} edges @returns {string[][]} What reaches itself, as groups. */
function circlesIn(edges) {
  const order = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const go = (node) => {
    order.set(node, order.size)
    low.set(node, order.get(node))
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) go(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)))
    }
    if (low.get(node) !== order.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) found.push(group)
  }
  for (const node of edges.keys()) if (!order.has(node)) go(node)
  return found
}

/** @param {string} folder @param {string} other @returns {boolean} Whether a folder is another one, or lies in it. */
const isWithin = (folder, other) => `${folder}/`.startsWith(`${other}/`)

/** @param {ReadonlyMap<string, readonly string[]>} imports @returns {string[]} Each circle of files, and each circle of folders. */
export function circles(imports) {
  const sources = new Map([...imports].filter(([path]) => !isTest(path)))
  const folders = new Map()
  for (const [from, all] of sources) {
    const folder = posix.dirname(from)
    const others = folders.get(folder) ?? new Set()
    for (const to of all) {
      const other = posix.dirname(to)
      // A folder and one within it are one: what all of its parts share lies at its top.
      if (sources.has(to) && !isWithin(folder, other) && !isWithin(other, folder)) others.add(other)
    }
    folders.set(folder, others)
  }
  return [...circlesIn(sources), ...circlesIn(folders)].map((group) => `a circle: ${group.sort().join(', ')}`)
}

/** @param {Iterable<string>} paths @returns {string[]} Each folder with more source files than a person looks through. */
export function crowded(paths) {
  const counts = new Map()
  for (const path of paths) {
    const folder = posix.dirname(path)
    if (!isTest(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MOST)
    .map(([folder, count]) => `${folder} has ${count} files: ${MOST} is the most`)
}
