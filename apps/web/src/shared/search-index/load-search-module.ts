import url from './search.wasm?url'
import { SearchModule } from './search-module.ts'

let compiled: Promise<WebAssembly.Module> | undefined

/** A search module with an empty index. Its code is loaded and compiled once. @throws TypeError if it can't be loaded */
export async function loadSearchModule(): Promise<SearchModule> {
  compiled ??= WebAssembly.compileStreaming(fetch(url)).catch((error: unknown) => {
    // The next try loads it again.
    compiled = undefined
    throw error
  })
  return new SearchModule(await compiled)
}
