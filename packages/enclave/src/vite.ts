// For builds with Vite (or Rollup): plain objects of its plugin shape, so that nothing of it is a dependency here.

const EXTISM = /@extism[\\/]extism[\\/]dist[\\/]browser[\\/]mod\.js(?:$|\?)/
const WORKER = /"data:text\/javascript;base64,[A-Za-z0-9+/=]+"/g

const BUNDLED = /[\\/]enclave[\\/](?:src|dist)[\\/]platform-browser\.[jt]s(?:$|\?)/
const ASSET = /new URL\((['"])\.\.\/dist\/enclave\.wasm\1, import\.meta\.url\)/g

/** What both of these are to Vite. */
export interface Transform {
  readonly name: string
  readonly enforce: 'pre'
  transform(code: string, id: string): { code: string; map: null } | undefined
}

/**
 * Leaves out the worker that Extism carries as a base64 `data:` URL: in browsers the plugin runs in a worker of ours, and
 * the string is more than half of Extism. To be listed among `plugins` and `worker.plugins`.
 *
 * @throws Error, from the build, unless there is exactly one such string
 */
export function dropExtismWorker(): Transform {
  return replacing('keyhole:drop-extism-worker', EXTISM, WORKER, '"data:,"')
}

/**
 * Takes the bundled plugin from an address of the site's own, so that it is not emitted a second time as an asset.
 *
 * @param path from the site's root: `/enclave.wasm`
 * @throws Error, from the build, unless exactly one place names the asset
 */
export function enclaveServedAt(path: string): Transform {
  return replacing(
    'keyhole:enclave-served-at',
    BUNDLED,
    ASSET,
    `new URL(${JSON.stringify(path)}, location.origin)`,
  )
}

function replacing(name: string, file: RegExp, pattern: RegExp, replacement: string): Transform {
  return {
    name,
    enforce: 'pre',
    transform(code, id) {
      if (!file.test(id)) return undefined
      const found = code.match(pattern)?.length ?? 0
      if (found !== 1) throw new Error(`${name}: expected one match of ${pattern} in ${id}, found ${found}`)
      return { code: code.replace(pattern, () => replacement), map: null }
    },
  }
}
