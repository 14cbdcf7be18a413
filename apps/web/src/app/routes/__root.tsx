import { createRootRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isElsewhere } from '../shell/connect-document.ts'

/** The address this document was loaded from. Its headers depend on it for as long as the document lives. */
const { pathname: here } = location

// Until they load, the prerendered page stays (app/entries/static-page.tsx).
export const Route = createRootRoute({
  beforeLoad: ({ location: { pathname, href } }) => {
    if (isElsewhere(here, pathname)) throw redirect({ href, reloadDocument: true })
  },
  component: lazyRouteComponent(() => import('../layout/layout.tsx')),
  notFoundComponent: lazyRouteComponent(() => import('../layout/not-found.tsx'), 'NotFound'),
})
