// The layers of apps/web. A linter rule can't check these, because it knows where an import leads but not which feature it comes from. Type
// imports and dynamic imports count too.
import { posix } from 'node:path'
import { parseSync } from 'vite'

export const SOURCES = 'apps/web/src'
/** The most source files in one folder, not counting tests. */
const MOST = 20

/**
 * What each folder of apps/web/src may import apart from itself. For pages and features, "itself" is the one page or feature: they may not
 * import each other.
 */
const MAY = {
  app: ['pages', 'features', 'shared', 'server', 'locales'],
  pages: ['features', 'shared', 'locales'],
  features: ['shared', 'locales'],
  shared: ['locales'],
  server: ['shared', 'locales'],
  sw: ['locales'],
  // Shared test helpers open the whole client. No source imports them.
  test: ['app', 'features', 'shared', 'locales'],
  locales: [],
}
const CLOSED = ['pages', 'features']
/** Test files. Only these may import test helpers. */
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
 * @returns {string[]} A file's relative imports: static, type, dynamic, and script addresses.
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
 * @param {ReadonlyMap<string, string>} texts the sources, by path from the project's root
 * @returns {Map<string, string[]>} Where each file's relative imports lead. A name without an extension is a script's.
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

/** @param {string} path @returns {string[]} Its folders below apps/web/src; empty for a path elsewhere. */
const foldersOf = (path) => (path.startsWith(`${SOURCES}/`) ? path.slice(SOURCES.length + 1).split('/') : [])

/** @param {string} from @param {string} to @returns {boolean} */
function isAllowed(from, to) {
  const [layer = '', part] = foldersOf(from)
  const [other, otherPart] = foldersOf(to)
  // The linter covers the rest of the project. Nothing else in apps/web is part of the client.
  if (other === undefined) return !to.startsWith('apps/web/') || isTest(from)
  if (other === 'test') return isTest(from) || layer === 'test'
  if (layer === other) return !CLOSED.includes(layer) || part === otherPart
  return MAY[layer]?.includes(other) ?? false
}

/** @param {ReadonlyMap<string, readonly string[]>} imports @returns {string[]} Each import in the wrong direction. */
export function wrongWays(imports) {
  return [...imports].flatMap(([from, all]) =>
    all.filter((to) => !isAllowed(from, to)).map((to) => `${from} may not import ${to}`),
  )
}

/** @param {ReadonlyMap<string, Iterable<string>>} edges @returns {string[][]} Groups of nodes that reach themselves. */
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

/** @param {string} folder @param {string} other @returns {boolean} Whether a folder is another one, or inside it. */
const isWithin = (folder, other) => `${folder}/`.startsWith(`${other}/`)

/** @param {ReadonlyMap<string, readonly string[]>} imports @returns {string[]} Each cycle of files, and each cycle of folders. */
export function circles(imports) {
  const sources = new Map([...imports].filter(([path]) => !isTest(path)))
  const folders = new Map()
  for (const [from, all] of sources) {
    const folder = posix.dirname(from)
    const others = folders.get(folder) ?? new Set()
    for (const to of all) {
      const other = posix.dirname(to)
      // A folder and a folder inside it count as one, because shared files are at its top.
      if (sources.has(to) && !isWithin(folder, other) && !isWithin(other, folder)) others.add(other)
    }
    folders.set(folder, others)
  }
  return [...circlesIn(sources), ...circlesIn(folders)].map((group) => `a circle: ${group.sort().join(', ')}`)
}

/** @param {Iterable<string>} paths @returns {string[]} Each folder with more source files than a person can look through. */
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
