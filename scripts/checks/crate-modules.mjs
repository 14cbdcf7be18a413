// Which files of a crate use which, for the check that no two modules use each other.

/** Files that only tests use. */
const FOR_TESTS = /(?:_test|\/testing|\/cases)\.rs$/

/** @param {string} text @returns {string} Its code, without comments and without the tests at its end. */
function codeOf(text) {
  const [code = ''] = text.split(/^#\[cfg\(test\)\]\nmod tests \{/m)
  return code.replace(/^\s*\/\/.*$/gm, '')
}

/** @param {string} text @returns {string[][]} The paths it uses, from the crate's root, in parts. */
function pathsOf(text) {
  const code = codeOf(text)
  const plain = [...code.matchAll(/\bcrate::([\w:]+)/g)].map(([, path = '']) => path)
  const grouped = [...code.matchAll(/\bcrate::((?:\w+::)*)\{([^}]*)\}/g)].flatMap(
    ([, start = '', names = '']) => names.split(',').map((name) => start + name.trim()),
  )
  return [...plain, ...grouped].map((path) => path.split('::').filter(Boolean))
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
      const uses = pathsOf(text).map(fileOf)
      return [path, [...new Set(uses.filter((use) => use !== undefined && use !== path))]]
    }),
  )
}
