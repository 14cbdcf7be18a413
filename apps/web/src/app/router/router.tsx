import { createRouter } from '@tanstack/react-router'
import { PageError } from './page-error.tsx'
import { routeTree } from './routeTree.gen.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultViewTransition: true,
  defaultErrorComponent: PageError,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
