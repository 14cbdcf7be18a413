import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The subresource integrity value of a file: the hash's name and the digest in base64. */
export function digestOf(path: string, hash: 'sha256' | 'sha384' = 'sha384'): string {
  return `${hash}-${createHash(hash).update(readFileSync(path)).digest('base64')}`
}

/**
 * Pins what the page loads: an `integrity` attribute on each script, style sheet and preload in index.html, and an import map with the
 * digests of scripts that load later (WHATWG HTML, "import maps", `integrity`).
 */
export function pinScripts(dist: string, assets: readonly string[]): void {
  const page = join(dist, 'index.html')
  const pinned = readFileSync(page, 'utf8').replace(
    /<(?:script|link)[^>]*\s(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"[^>]*?(?=\s*\/?>)/g,
    (tag, path: string) => `${tag} integrity="${digestOf(join(dist, path))}"`,
  )
  const scripts = assets.filter((path) => path.endsWith('.js')).sort()
  const map = {
    // Every digest is in the page, and digests don't compress. SHA-256 is shorter and just as safe here.
    integrity: Object.fromEntries(scripts.map((path) => [`/${path}`, digestOf(join(dist, path), 'sha256')])),
  }
  const element = `<script type="importmap">${JSON.stringify(map)}</script>`
  // The map must come before the first module, or browsers ignore it.
  if (!pinned.includes('<script type="module"'))
    throw new Error('index.html loads no module: nowhere to put the import map')
  writeFileSync(page, pinned.replace('<script type="module"', `${element}\n    <script type="module"`))
}
