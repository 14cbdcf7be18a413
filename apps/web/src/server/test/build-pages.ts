import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEGINNINGS, inEveryLanguage } from '../pages.js'

/** The parts of a page that the server reads: an import map and a style. */
export const HEAD =
  '<!doctype html><script type="importmap">{"integrity":{}}</script><style>p{color:red}</style>'

/** A page of a build, with its name as the title. */
export const page = (name: string) => `${HEAD}<title>${name}</title>`

/** Writes the start pages of a build, such as `index.de`. */
export function writePages(folder: string): void {
  for (const path of BEGINNINGS.flatMap(inEveryLanguage))
    writeFileSync(join(folder, path), page(path.slice('/'.length, -'.html'.length)))
}
