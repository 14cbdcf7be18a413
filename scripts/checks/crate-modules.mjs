// Which files of a crate use which, for the check that no two modules use each other.

/** Files that only tests use. */
const FOR_TESTS = /(?:_test|\/testing|\/cases)\.rs$/

/** @param {string} text @returns {string} Its code, without comments and without the tests at its end. */
function codeOf(text) {
  const [code = ''] = text.split(/^#\[cfg\(test\)\]\nmod tests \{/m)
  return code.replace(/^\s*\/\/.*$/gm, '')
}

/**
 * The paths in a `use` tree, such as `a::{b, c::{d, e}}`.
 * @param {string} tree @returns {string[]}
 */
function pathsIn(tree) {
  const [, start = '', inner] = /^([^{]*)(?:\{(.*)\})?$/s.exec(tree.trim()) ?? []
  if (inner === undefined) return [start.replace(/\s+as\s+\w+$/, '').trim()]
  const parts = ['']
  let depth = 0
  for (const letter of inner) {
    if (letter === '{') depth += 1
    if (letter === '}') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.filter((part) => part.trim()).flatMap((part) => pathsIn(part).map((path) => start + path))
}

/**
 * @param {string} text @param {readonly string[]} module where the file is, from the crate's root
 * @returns {string[][]} The paths it uses, from the crate's root, in parts.
 */
function pathsOf(text, module) {
  const code = codeOf(text)
  const own = [...code.matchAll(/^(?:pub(?:\([^)]*\))? )?mod (\w+);/gm)].map(([, name = '']) => name)
  const starts = ['crate', 'super', 'self', ...own].join('|')
  const used = [...code.matchAll(new RegExp(`\\buse ((?:${starts})::[^;]*);`, 'g'))].flatMap(
    ([, tree = '']) => pathsIn(tree),
  )
  const plain = [...code.matchAll(new RegExp(`(?<!\\w|::)(?:${starts})(?:::\\w+)+`, 'g'))].map(
    ([path]) => path,
  )
  return [...used, ...plain].map((path) => {
    const parts = path.split('::').filter((part) => part && part !== 'self' && part !== '*')
    if (parts[0] === 'crate') return parts.slice(1)
    const up = parts.lastIndexOf('super') + 1
    return [...module.slice(0, module.length - up), ...parts.slice(up)]
  })
}

/**
 * @param {string} source the crate's source folder, from the project's root
 * @param {ReadonlyMap<string, string>} texts its files, by path
 * @returns {Map<string, string[]>} Which files each file uses.
 */
export function usesOf(source, texts) {
  const modules = new Map([...texts].filter(([path]) => !FOR_TESTS.test(path)))
  const fileOf = (parts) => {
    for (let length = parts.length; length > 0; length -= 1) {
      const path = `${source}/${parts.slice(0, length).join('/')}`
      const found = [`${path}.rs`, `${path}/mod.rs`].find((each) => modules.has(each))
      if (found) return found
    }
    return undefined
  }
  return new Map(
    [...modules].map(([path, text]) => {
      const module = path
        .slice(source.length + 1)
        .replace(/(?:\/?mod)?\.rs$/, '')
        .split('/')
        .filter(Boolean)
      const uses = pathsOf(text, module).map(fileOf)
      return [path, [...new Set(uses.filter((use) => use !== undefined && use !== path))]]
    }),
  )
}
