import url from './search.wasm?url'
import { SearchModule } from './search-module.ts'

let compiled: Promise<WebAssembly.Module> | undefined

/** A search module with an empty index; its code is fetched and compiled once. @throws TypeError where it cannot be fetched */
export async function loadSearchModule(): Promise<SearchModule> {
  compiled ??= WebAssembly.compileStreaming(fetch(url)).catch((error: unknown) => {
    // The next try fetches it again.
    compiled = undefined
    throw error
  })
  return new SearchModule(await compiled)
}
