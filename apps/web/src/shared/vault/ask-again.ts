import { notifyManager, type QueryClient, type QueryFilters } from '@tanstack/react-query'

/**
 * Asks again what is shown: also what is being asked, since it may be answered by what was there before. What nobody looks at is asked
 * again once somebody does.
 */
export function askAgain(client: QueryClient, filters: QueryFilters): void {
  notifyManager.batch(() => {
    void client.cancelQueries(filters)
    void client.invalidateQueries(filters)
  })
}
