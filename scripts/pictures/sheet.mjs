// The pictures that `screenshots.mjs` took, side by side on one page, and which of them are missing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = /^(?<scene>.+)-(?<look>(?:en|de)-(?:light|dark)-\d+)\.png$/

/**
 * Writes `index.html` beside the pictures: a row for each scene, a column for each look.
 * @param {string} folder
 * @returns {{pictures: number, missing: string[]}}
 */
export function pictureSheet(folder) {
  /** @type {Map<string, Set<string>>} */
  const scenes = new Map()
  const looks = new Set()
  const files = readdirSync(folder).filter((name) => name.endsWith('.png'))
  for (const file of files) {
    const { scene, look } = NAME.exec(file)?.groups ?? {}
    if (scene === undefined || look === undefined) continue
    scenes.set(scene, (scenes.get(scene) ?? new Set()).add(look))
    looks.add(look)
  }
  const columns = [...looks].sort((a, b) => widthOf(a) - widthOf(b) || a.localeCompare(b))
  const rows = [...scenes].sort(([a], [b]) => a.localeCompare(b))
  const cell = (/** @type {string} */ scene, /** @type {string} */ look) =>
    `<figure style="width:${Math.round(widthOf(look) / 2)}px"><a href="${scene}-${look}.png"><img loading="lazy" src="${scene}-${look}.png" alt="${scene}, ${look}"></a><figcaption>${look}</figcaption></figure>`
  const others = files.filter((file) => !NAME.test(file))
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Keyhole, every page</title>
<style>body{font:14px system-ui;margin:1rem}section{display:flex;gap:1rem;overflow-x:auto;align-items:start}figure{margin:0;flex:none}img{width:100%;border:1px solid #999}</style>
${rows
  .map(
    ([scene, taken]) =>
      `<h2>${scene}</h2><section>${columns
        .filter((look) => taken.has(look))
        .map((look) => cell(scene, look))
        .join('')}</section>`,
  )
  .join('\n')}
<h2>Others</h2><section>${others.map((file) => `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a></figure>`).join('')}</section>
`,
  )
  // Only the payment handler's window is also pictured at a width of its own.
  const usual = columns.filter((look) => 2 * rows.filter(([, taken]) => taken.has(look)).length > rows.length)
  const missing = rows.flatMap(([scene, taken]) =>
    usual.filter((look) => !taken.has(look)).map((look) => `${scene}, ${look}`),
  )
  return { pictures: files.length, missing }
}

/** @param {string} look */
function widthOf(look) {
  return Number(look.split('-').at(-1))
}

/**
 * What the client says in German, by the English text. Only texts without parts.
 * @param {string} folder the client's sources
 * @returns {Map<string, string>}
 */
export function germanWords(folder) {
  const words = new Map()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.po')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, english, said] of text.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)) words.set(english, said)
  }
  return words
}
