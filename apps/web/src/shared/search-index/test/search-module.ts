import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SearchModule } from '../search-module.ts'

const compiled = new WebAssembly.Module(readFileSync(join(import.meta.dirname, '../search.wasm')))

/** The search module that ships, with an empty index. */
export const newSearchModule = () => new SearchModule(compiled)
