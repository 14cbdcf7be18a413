import { cors } from 'hono/cors'

/** Lets pages of any site call these routes, because nothing depends on cookies. */
export const anySite = (...methods: string[]) =>
  cors({ origin: '*', allowHeaders: ['authorization', 'content-type'], allowMethods: methods, maxAge: 600 })
