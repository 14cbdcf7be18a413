import { vi } from 'vitest'

// Nothing serves the search module where pages are tested in Node: it is read where it lies.
vi.mock('../shared/search-index/load-search-module.ts', async () => {
  const { newSearchModule } = await import('../shared/search-index/test/search-module.ts')
  return { loadSearchModule: async () => newSearchModule() }
})
