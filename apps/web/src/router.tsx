import { createRouter } from '@tanstack/react-router'
import { NotFound } from './lib/not-found.tsx'
import { PageError } from './lib/page-error.tsx'
import { routeTree } from './routeTree.gen.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultViewTransition: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageError,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
