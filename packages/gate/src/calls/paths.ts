// Path arguments. A policy compares text, so a path must be written the one way in which the file system knows it: what was compared is
// what is opened.
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** What a path is once it is resolved by this machine's file system; `undefined` if it can't be one. */
export async function resolvePath(path: string): Promise<string | undefined> {
  const written = await writtenPath(path)
  return written === undefined ? undefined : await follow(written, 0)
}

/** What a path on another machine is, as far as its text shows; `undefined` if it can't be one. */
export async function writtenPath(path: string): Promise<string | undefined> {
  // Servers cut white space and quotes off, read `~` as the home folder, decode percent-encoding, or change the Unicode form: none of that
  // may change where a path leads.
  const isPlain =
    path.length <= 4_096 &&
    !/\p{Surrogate}/u.test(path) &&
    path === path.trim() &&
    !/^["'`]|["'`]$|[\p{Cc}\p{Zl}\p{Zp}\\\u2044\u2215\u2216\u29f5\u29f8\u29f9]|%(?:2e|2f|5c|00|25)/iu.test(
      path,
    ) &&
    shapeOf(path.normalize('NFKC')) === shapeOf(path)
  return isPlain && isAbsolute(path) ? resolve(path) : undefined
}

/** A path without symbolic links: of one that does not exist yet, its folder's. */
async function follow(path: string, depth: number): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A link that leads nowhere would be followed by whoever writes to it.
    if (code !== 'ENOENT' || depth > 256 || dirname(path) === path || (await isLink(path))) return undefined
    const folder = await follow(dirname(path), depth + 1)
    return folder === undefined ? undefined : join(folder, basename(path))
  }
}

async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  )
}

/** What in a path decides where it leads. */
function shapeOf(path: string): string {
  return path.replace(/[^./\\%~]+/g, 'x')
}
