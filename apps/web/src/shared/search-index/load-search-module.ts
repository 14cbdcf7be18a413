import url from './search.wasm?url'
import { SearchModule } from './search-module.ts'

let compiled: Promise<WebAssembly.Module> | undefined

/** Makes search modules with an empty index. Their code is loaded and compiled once. @throws TypeError if it can't be loaded */
export async function loadSearchModule(): Promise<() => SearchModule> {
  compiled ??= WebAssembly.compileStreaming(fetch(url)).catch((error: unknown) => {
    // The next try loads it again.
    compiled = undefined
    throw error
  })
  const module = await compiled
  return () => new SearchModule(module)
}
