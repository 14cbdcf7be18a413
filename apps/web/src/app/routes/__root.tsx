import { createRootRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isElsewhere } from '../shell/connect-document.ts'

/** Where this document was loaded: its headers are that place's for as long as it is there. */
const { pathname: here } = location

// Until they are there, the page shows what it came with (app/entries/static-page.tsx).
export const Route = createRootRoute({
  beforeLoad: ({ location: { pathname, href } }) => {
    if (isElsewhere(here, pathname)) throw redirect({ href, reloadDocument: true })
  },
  component: lazyRouteComponent(() => import('../layout/layout.tsx')),
  notFoundComponent: lazyRouteComponent(() => import('../layout/not-found.tsx'), 'NotFound'),
})
