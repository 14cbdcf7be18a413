import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A view within a router of its own, for components with links. No link leads anywhere. */
export function Routed({ children }: { children: ReactNode }) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => children }),
    history: createMemoryHistory(),
  })
  // The router of the client is another one, by whose routes links are typed.
  return <RouterProvider router={router as never} />
}
