// What the modules of a crate use of each other, by file: for the check that no two of them want each other.

/** Files that only tests read. */
const FOR_TESTS = /(?:_test|\/testing|\/cases)\.rs$/

/** @param {string} text @returns {string} Its code: without comments, and without the tests at its end. */
function codeOf(text) {
  const [code = ''] = text.split(/^#\[cfg\(test\)\]\nmod tests \{/m)
  return code.replace(/^\s*\/\/.*$/gm, '')
}

/** @param {string} text @returns {string[][]} The paths that it uses from the crate's root on, part by part. */
function pathsOf(text) {
  const code = codeOf(text)
  const plain = [...code.matchAll(/\bcrate::([\w:]+)/g)].map(([, path = '']) => path)
  const grouped = [...code.matchAll(/\bcrate::((?:\w+::)*)\{([^}]*)\}/g)].flatMap(
    ([, start = '', names = '']) => names.split(',').map((name) => start + name.trim()),
  )
  return [...plain, ...grouped].map((path) => path.split('::').filter(Boolean))
}

/**
 * @param {string} source the crate's folder of sources, from the root of the project
 * @param {ReadonlyMap<string, string>} texts its files, by their paths
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
      const uses = pathsOf(text).map(fileOf)
      return [path, [...new Set(uses.filter((use) => use !== undefined && use !== path))]]
    }),
  )
}
