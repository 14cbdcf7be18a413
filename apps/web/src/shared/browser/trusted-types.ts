/** The parts of Trusted Types used here. The DOM's types lack them. */
interface ScriptUrlPolicy {
  createScriptURL(url: string): string
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptUrlPolicy
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypesFactory
  }
}

/** The scripts of a build: the service worker, and everything the bundler puts in `/assets/`. */
const SHIPPED = /^\/(?:sw|assets\/[\w.-]+)\.js$/

/**
 * Resolves the URL of a script that we ship.
 * @param url as the bundler gave it, or absolute
 * @param base the page's own URL
 * @throws TypeError for another origin, and for a path where a build has no script
 */
export function ownScript(url: string, base: string): string {
  const { origin, pathname, search, href } = new URL(url, base)
  if (origin !== new URL(base).origin) throw new TypeError(`${origin} is not where our scripts come from`)
  // The development server uses the scripts' source names.
  if (!import.meta.env.DEV && !(SHIPPED.test(pathname) && search === ''))
    throw new TypeError(`${pathname}${search} isn't one of our scripts`)
  return href
}

const here = (url: string) => ownScript(url, location.href)

const policy = globalThis.window?.trustedTypes?.createPolicy('keyhole', { createScriptURL: here })

/**
 * The only way for a script's URL to reach a Worker or the service worker: the policy `keyhole`. It allows the scripts of our own build and
 * throws a TypeError for everything else.
 */
export function scriptUrl(url: string): string {
  return policy ? policy.createScriptURL(url) : here(url)
}
