import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEGINNINGS, inEveryLanguage } from '../pages.js'

/** What the server reads of a page: a map of scripts, and a style. */
export const HEAD =
  '<!doctype html><script type="importmap">{"integrity":{}}</script><style>p{color:red}</style>'

/** A page of a build, with its name as its title. */
export const page = (name: string) => `${HEAD}<title>${name}</title>`

/** Writes the pages that a build begins with, such as `index.de`. */
export function writePages(folder: string): void {
  for (const path of BEGINNINGS.flatMap(inEveryLanguage))
    writeFileSync(join(folder, path), page(path.slice('/'.length, -'.html'.length)))
}
