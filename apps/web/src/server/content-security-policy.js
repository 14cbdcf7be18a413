// The content security policy, and what a page of the build adds to it.
import { createHash } from 'node:crypto'
import { HOSTS_META } from '../shared/vault/hosts-meta.js'

/**
 * What a page's content security policy allows in addition: CSP hashes (`sha256-…`) of its inline scripts and style sheet, and the hosts that
 * may be asked for `did:web` keys.
 * @typedef {{scripts: readonly string[], styles: readonly string[], hosts: readonly string[]}} PagePolicy
 */

/** @type {PagePolicy} */
export const NONE = { scripts: [], styles: [], hosts: [] }

/**
 * The content security policy. It allows only what the client uses: no inline script or style except those with these hashes, no `eval`,
 * no form target, no frame, and no other origin except the hosts named at build time.
 * @param {PagePolicy} [policy] from {@link pagePolicy}
 */
export function contentSecurityPolicy(policy = NONE) {
  /** @param {readonly string[]} list */
  const quoted = (list) => list.map((hash) => `'${hash}'`)
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...quoted(policy.scripts)].join(' '),
    ["style-src 'self'", ...quoted(policy.styles)].join(' '),
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...policy.hosts.map((host) => `https://${host}`)].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types keyhole',
  ].join('; ')
}

/**
 * @param {string} html
 * @returns {PagePolicy}
 */
export function pagePolicy(html) {
  /** @param {RegExp} element */
  const hashesOf = (element) =>
    [...html.matchAll(element)].map(
      ([, source]) =>
        `sha256-${createHash('sha256')
          .update(source ?? '')
          .digest('base64')}`,
    )
  return {
    scripts: hashesOf(/<script(?: type="importmap")?>([\s\S]*?)<\/script>/g),
    styles: hashesOf(/<style>([\s\S]*?)<\/style>/g),
    hosts: (new RegExp(`<meta name="${HOSTS_META}" content="([^"]*)"`).exec(html)?.[1] ?? '')
      .split(' ')
      .filter((host) => host !== ''),
  }
}
