import { QueryClient } from '@tanstack/react-query'

/** Milliseconds before try number `attempt + 1`: 1 s doubling to 30 s. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000)
}

/**
 * The client of all queries, with the product's defaults: three retries, and a cache kept for five minutes. What is asked is the vault in
 * this browser, so a query waits for no network.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 3, retryDelay, gcTime: 5 * 60 * 1000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}
