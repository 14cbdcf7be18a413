import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A view inside its own router, for components with links. The links lead nowhere. */
export function Routed({ children }: { children: ReactNode }) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => children }),
    history: createMemoryHistory(),
  })
  // Link types come from the client's own router, which is a different one.
  return <RouterProvider router={router as never} />
}
