// The client's two typefaces, reduced to the characters it shows. Writes apps/web/src/app/styles/typeface/, which is committed.
// Usage: node scripts/typeface.mjs [--check]
// --check writes nothing, and fails if the committed files don't match their sources.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subset from 'subset-font'
import { root } from './suites.mjs'

const require = createRequire(import.meta.url)
const FOLDER = join(root, 'apps/web/src/app/styles/typeface')
/** Served next to the fonts, because the licence must go with them. */
const LICENCE = join(root, 'apps/web/public/typeface-licence.txt')

/** Code points, as CSS writes them: a sans for English, German and the names of Western Europe, and a mono for what machines read. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x1e9e, 0x1e9e],
  [0x2013, 0x2014],
  [0x2018, 0x201a],
  [0x201c, 0x201e],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
]
const ASCII = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0x2026, 0x2026],
]

/**
 * `weights` is the range that the design uses. `features` are OpenType features: digits of equal width, kerning, accents.
 * A fallback uses a system font until ours has loaded, scaled to take the same room: `width` is the width of our letters relative to the
 * fallback's. Measured in Chromium on an English and a German page, against Liberation Sans (as wide as Arial, and within a quarter of a
 * percent of Roboto); for a mono it is one division.
 */
const FACES = [
  {
    file: 'sans.woff2',
    family: 'Keyhole Sans',
    source: '@fontsource-variable/atkinson-hyperlegible-next',
    from: 'atkinson-hyperlegible-next-latin-wght-normal.woff2',
    upstream: 'https://github.com/googlefonts/atkinson-hyperlegible-next',
    ranges: LATIN,
    weights: { min: 400, max: 700 },
    features: ['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'pnum', 'tnum'],
    // Used from the first paint or not on this page, because text must not move while someone reads it. `late` is used from the next
    // redraw.
    display: 'optional',
    late: 'Keyhole Sans late',
    fallbacks: [
      {
        family: 'Keyhole Sans fallback',
        faces: [
          { weight: '400 500', width: 0.985, local: ['Arial', 'Liberation Sans', 'Roboto'] },
          { weight: '600 700', width: 0.97, local: ['Arial Bold', 'Liberation Sans Bold', 'Roboto Bold'] },
        ],
      },
    ],
  },
  {
    file: 'mono.woff2',
    family: 'Keyhole Mono',
    source: '@fontsource-variable/atkinson-hyperlegible-mono',
    from: 'atkinson-hyperlegible-mono-latin-wght-normal.woff2',
    upstream: 'https://github.com/googlefonts/atkinson-hyperlegible-next-mono',
    ranges: ASCII,
    weights: { min: 400, max: 700 },
    features: ['ccmp'],
    display: 'swap',
    late: undefined,
    // All letters of a mono are equally wide, so at the right size nothing moves when ours loads.
    fallbacks: [
      { family: 'Keyhole Mono A', faces: [{ width: 0.632 / 0.602, local: ['Menlo', 'DejaVu Sans Mono'] }] },
      { family: 'Keyhole Mono B', faces: [{ width: 0.632 / 0.5498, local: ['Consolas'] }] },
      {
        family: 'Keyhole Mono C',
        faces: [{ width: 0.632 / 0.6001, local: ['Roboto Mono', 'Liberation Mono', 'Courier New'] }],
      },
    ],
  },
]
/** For both fonts, in thousandths of an em. */
const METRICS = { ascent: 984, descent: 316 }

/** @param {readonly number[][]} ranges */
const textOf = (ranges) =>
  ranges
    .flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
    .map((point) => String.fromCodePoint(point))
    .join('')

/** @param {readonly number[][]} ranges */
const unicodeRange = (ranges) =>
  ranges
    .map(([from = 0, to = 0]) => {
      const [first, last] = [from, to].map((point) => point.toString(16).toUpperCase())
      return `U+${first === last ? first : `${first}-${last}`}`
    })
    .join(', ')

/** @param {Buffer} content */
const digestOf = (content) => createHash('sha256').update(content).digest('hex')

/** @param {number} share */
const percent = (share) => `${Number((share * 100).toFixed(1))}%`

/** @param {Record<string, string>} descriptors */
const face = (descriptors) =>
  `@font-face {\n${Object.entries(descriptors)
    .map(([name, value]) => `  ${name}: ${value};`)
    .join('\n')}\n}`

/** @param {(typeof FACES)[number]} of */
function facesOf({ file, family, ranges, weights, display, late, fallbacks }) {
  const own = {
    'font-family': `"${family}"`,
    'font-weight': `${weights.min} ${weights.max}`,
    'font-display': display,
    src: `url("./${file}") format("woff2")`,
    'unicode-range': unicodeRange(ranges),
  }
  const sized = fallbacks.flatMap(({ family: name, faces }) =>
    faces.map(({ width, local, ...rest }) =>
      face({
        'font-family': `"${name}"`,
        ...('weight' in rest && { 'font-weight': rest.weight }),
        src: local.map((font) => `local("${font}")`).join(', '),
        'size-adjust': percent(width),
        'ascent-override': percent(METRICS.ascent / 1000 / width),
        'descent-override': percent(METRICS.descent / 1000 / width),
        'line-gap-override': '0%',
      }),
    ),
  )
  return [
    face(own),
    ...(late === undefined ? [] : [face({ ...own, 'font-family': `"${late}"`, 'font-display': 'block' })]),
    ...sized,
  ]
}

/** @returns {Promise<Map<string, Buffer>>} The files to write, by path. */
async function make() {
  /** @type {Map<string, Buffer>} */
  const files = new Map()
  const provenance = []
  /** @type {string[]} */
  const notices = []
  let licence = ''
  for (const each of FACES) {
    const folder = dirname(require.resolve(`${each.source}/package.json`))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const source = readFileSync(join(folder, 'files', each.from))
    const made = await subset(source, textOf(each.ranges), {
      targetFormat: 'woff2',
      variationAxes: { wght: each.weights },
      keepFeatures: each.features,
      // The copyright and licence, in the font file itself.
      preserveNameIds: [0, 13, 14],
    })
    files.set(join(FOLDER, each.file), made)
    const [notice = '', ...terms] = readFileSync(join(folder, 'LICENSE'), 'utf8').trim().split('\n')
    notices.push(notice)
    licence = terms.join('\n').trim()
    provenance.push({
      file: each.file,
      sha256: digestOf(made),
      bytes: made.length,
      characters: unicodeRange(each.ranges),
      weights: each.weights,
      features: each.features,
      source: { package: each.source, version, file: each.from, sha256: digestOf(source) },
      upstream: each.upstream,
      licence: 'OFL-1.1',
    })
  }
  const css = ['/* Written by scripts/typeface.mjs. */', ...FACES.flatMap(facesOf)].join('\n')
  files.set(join(FOLDER, 'typeface.css'), Buffer.from(`${css}\n`))
  files.set(
    join(FOLDER, 'provenance.json'),
    Buffer.from(`${JSON.stringify({ madeBy: 'scripts/typeface.mjs', fonts: provenance }, null, 2)}\n`),
  )
  files.set(LICENCE, Buffer.from(`${notices.join('\n')}\n\n${licence}\n`))
  return files
}

const check = process.argv.includes('--check')
mkdirSync(FOLDER, { recursive: true })
for (const [path, content] of await make()) {
  const name = path.slice(root.length + 1)
  if (!check) {
    writeFileSync(path, content)
    console.log(`${name}: ${content.length} bytes`)
  } else if (!readFileSync(path).equals(content)) {
    console.error(
      `${name} is not what scripts/typeface.mjs makes of its sources. Run it, and commit what it writes.`,
    )
    process.exitCode = 1
  }
}
