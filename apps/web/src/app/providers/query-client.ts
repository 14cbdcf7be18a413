import { QueryClient } from '@tanstack/react-query'

/** Milliseconds before attempt number `attempt + 1`: 1 s, doubling to 30 s. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000)
}

/**
 * The query client with our defaults: three retries and a five-minute cache. Queries read the vault in this browser, so they don't wait for
 * a network.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 3, retryDelay, gcTime: 5 * 60 * 1000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}
