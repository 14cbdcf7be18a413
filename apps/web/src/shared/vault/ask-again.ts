import { notifyManager, type QueryClient, type QueryFilters } from '@tanstack/react-query'

/** Requests visible queries again, even ones in progress: their answers may be old. Others are requested again once they are shown. */
export function askAgain(client: QueryClient, filters: QueryFilters): void {
  notifyManager.batch(() => {
    void client.cancelQueries(filters)
    void client.invalidateQueries(filters)
  })
}
