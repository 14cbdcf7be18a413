// biscuit-wasm, instantiated as a bundler would do it: Node doesn't import wasm without a flag.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const FOLDER = join(import.meta.dirname, '../node_modules/@biscuit-auth/biscuit-wasm/module')

let made = 0

/** A new instance. One that has checked about 8,000 tokens takes two and a half times as long for each one after that. */
export async function loadBiscuit() {
  made += 1
  const own = (/** @type {string} */ name) => import(`${pathToFileURL(join(FOLDER, name)).href}?${made}`)
  const module = await WebAssembly.compile(await readFile(join(FOLDER, 'biscuit_bg.wasm')))
  const names = new Set(WebAssembly.Module.imports(module).map((entry) => entry.module))
  const parts = await Promise.all([...names].map(async (name) => [name, await own(name)]))
  const biscuit = await own('biscuit_bg.js')
  const { exports } = await WebAssembly.instantiate(module, Object.fromEntries(parts))
  biscuit.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return biscuit
}
