import { fileURLToPath, pathToFileURL } from 'node:url'
import { refuseCall } from '../errors.ts'
import type { resolvePath } from './paths.ts'

/**
 * Refuses the URI of a resource that isn't written the one way in which it can be compared.
 *
 * @param resolve what a path is, where the server is
 * @throws CallRefused UnclearPath
 */
export async function checkUri(uri: string, resolve: typeof resolvePath): Promise<void> {
  if (!(await isClear(uri, resolve)))
    refuseCall(
      'UnclearPath',
      'Write the URI in full, without "..", escapes of dots and slashes, or symbolic links.',
    )
}

async function isClear(uri: string, resolve: typeof resolvePath): Promise<boolean> {
  if (uri.length > 8_192 || !/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/.test(uri)) return false
  if (/%(?:2e|2f|5c|00|25)|[\\"'`<>{}|^]|\/\.{1,2}(?:[/?#]|$)|:\.{1,2}\//i.test(uri)) return false
  if (!uri.startsWith('file:')) return true
  try {
    const path = fileURLToPath(uri)
    return pathToFileURL(path).href === uri && (await resolve(path)) === path
  } catch {
    return false
  }
}
