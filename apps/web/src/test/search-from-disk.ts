import { vi } from 'vitest'

// Pages tested in Node have no server for the search module, so read it from disk.
vi.mock('../shared/search-index/load-search-module.ts', async () => {
  const { newSearchModule } = await import('../shared/search-index/test/search-module.ts')
  return { loadSearchModule: async () => newSearchModule }
})
