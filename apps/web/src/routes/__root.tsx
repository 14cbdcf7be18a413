import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router'

// Until they are there, the page shows what it came with (shell/static-page.tsx).
export const Route = createRootRoute({
  component: lazyRouteComponent(() => import('../lib/layout.tsx')),
  notFoundComponent: lazyRouteComponent(() => import('../lib/not-found.tsx'), 'NotFound'),
})
