// For builds with Vite (or Rollup). Plain objects in the shape of its plugins, to avoid the dependency.

const EXTISM = /@extism[\\/]extism[\\/]dist[\\/]browser[\\/]mod\.js(?:$|\?)/
const WORKER = /"data:text\/javascript;base64,[A-Za-z0-9+/=]+"/g

const BUNDLED = /[\\/]enclave[\\/](?:src|dist)[\\/]platform-browser\.[jt]s(?:$|\?)/
const ASSET = /new URL\((['"])\.\.\/dist\/enclave\.wasm\1, import\.meta\.url\)/g
const DEVICES_ASSET = /new URL\((['"])\.\.\/dist\/enclave-devices\.wasm\1, import\.meta\.url\)/g

/** The part of Vite's plugin type that both use. */
export interface Transform {
  readonly name: string
  readonly enforce: 'pre'
  transform(code: string, id: string): { code: string; map: null } | undefined
}

/**
 * Removes the worker that Extism embeds as a base64 `data:` URL. In browsers the plugin runs in our own worker, and
 * that string is more than half of Extism. List it in `plugins` and in `worker.plugins`.
 * @throws Error, from the build, unless there is exactly one such string
 */
export function dropExtismWorker(): Transform {
  return replacing('keyhole:drop-extism-worker', EXTISM, [[WORKER, '"data:,"']])
}

/**
 * Loads the bundled plugin from an address on the site, so that the build doesn't emit it a second time as an asset.
 * @param path from the site's root: `/enclave.wasm`
 * @param devices the same for the build with devices: `/enclave-devices.wasm`. Default: it is emitted as an asset.
 * @throws Error, from the build, unless exactly one place names each asset
 */
export function enclaveServedAt(path: string, devices?: string): Transform {
  return replacing('keyhole:enclave-served-at', BUNDLED, [
    [ASSET, served(path)],
    ...(devices === undefined ? [] : [[DEVICES_ASSET, served(devices)] as const]),
  ])
}

function served(path: string): string {
  return `new URL(${JSON.stringify(path)}, location.origin)`
}

function replacing(
  name: string,
  file: RegExp,
  replacements: readonly (readonly [pattern: RegExp, replacement: string])[],
): Transform {
  return {
    name,
    enforce: 'pre',
    transform(code, id) {
      if (!file.test(id)) return undefined
      let replaced = code
      for (const [pattern, replacement] of replacements) {
        const found = code.match(pattern)?.length ?? 0
        if (found !== 1) throw new Error(`${name}: expected one match of ${pattern} in ${id}, found ${found}`)
        replaced = replaced.replace(pattern, () => replacement)
      }
      return { code: replaced, map: null }
    },
  }
}
