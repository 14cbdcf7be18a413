import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lingui } from '@lingui/vite-plugin'
import { type Plugin, runnerImport } from 'vite'
import { BAND, PAPER } from '../src/shared/browser/bar-colour.ts'
import { HOSTS_META } from '../src/shared/vault/hosts-meta.js'
import { catalogues } from './catalogues.ts'
import { didWebHosts } from './did-web-hosts.ts'
import { digestOf } from './integrity.ts'
import { messages } from './messages.ts'

/** Leaves out the addresses of workers: none are started while a page is rendered in Node. */
function withoutWorkers(): Plugin {
  return {
    name: 'keyhole:without-workers',
    enforce: 'pre',
    resolveId: (id) => (id.includes('?worker') ? '\0no-worker' : undefined),
    load: (id) => (id === '\0no-worker' ? 'export default ""' : undefined),
  }
}

async function draw(web: string) {
  const { module } = await runnerImport<typeof import('../src/app/entries/static-page.tsx')>(
    join(web, 'src/app/entries/static-page.tsx'),
    {
      root: web,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['keyhole-source', 'module', 'import', 'default'] },
      plugins: [withoutWorkers(), messages(), catalogues(), lingui({ failOnMissing: true })],
    },
  )
  return module.beginnings
}

/** Inlines the style sheet that the page would load first, so the prerendered page shows without another request. */
function withStyle(dist: string, page: string): string {
  const sheets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'))
  const [sheet] = sheets
  if (sheet === undefined || sheets.length > 1)
    throw new Error(`The build has ${sheets.length} style sheets, not one`)
  const css = readFileSync(join(dist, 'assets', sheet), 'utf8').trim()
  if (css.includes('</')) throw new Error('The style sheet would end its own element')
  const inlined = page.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
  if (inlined === page) throw new Error('index.html loads no style sheet')
  rmSync(join(dist, 'assets', sheet))
  return inlined
}

function fill(
  page: string,
  language: string,
  markup: string,
  templates: Record<string, string> = {},
): string {
  if (/\sstyle="/.test([markup, ...Object.values(templates)].join()))
    throw new Error('What a page begins with has a style attribute: the content security policy refuses it')
  // Links work straight away; buttons are disabled until their script runs.
  const waiting = (drawn: string) =>
    drawn.replaceAll(/<button (?![^>]*\sdisabled="")/g, '<button disabled="" ')
  const held = Object.entries(templates).map(
    ([id, drawn]) => `<template id="${id}">${waiting(drawn)}</template>`,
  )
  return page
    .replace(/(<html [^>]*)lang="en">/, `$1lang="${language}">`)
    .replace('<div id="root"></div>', () => `<div id="root">${waiting(markup)}</div>${held.join('')}`)
}

/** Lists the hosts that this build may contact, for the client and for the pages' Content Security Policy. */
function withHosts(page: string, hosts: readonly string[]): string {
  if (hosts.length === 0) return page
  return page.replace(
    '</title>',
    () => `</title>\n    <meta name="${HOSTS_META}" content="${hosts.join(' ')}">`,
  )
}

/** The landing page starts with a dark band, so the browser's own bar gets the same colour. */
function onBand(page: string): string {
  const banded = page.replace(`content="${PAPER}" media="(prefers-color-scheme: light)"`, (found) =>
    found.replace(PAPER, BAND),
  )
  if (banded === page) throw new Error(`index.html gives the browser's bar another colour than ${PAPER}`)
  return banded
}

/** A page drawn for someone without a vault starts with a script that may hide it. */
const withScript = (page: string, script: string) =>
  page
    .replace('<style>', () => `<script>${script}</script>\n    <style>`)
    .replace('<html ', '<html data-for-new ')

/** Adds preloads for the scripts the first screen needs, so they load before the first of them runs. */
function withPreloads(dist: string, page: string, scripts: readonly string[]): string {
  const links = scripts.map(
    (path) =>
      `<link rel="modulepreload" crossorigin href="/${path}" integrity="${digestOf(join(dist, path))}">`,
  )
  // No module script may come before the import map.
  return page.replace('<script type="module"', () => [...links, '<script type="module"'].join('\n    '))
}

/**
 * Writes every variant of the client's start page: with the landing page or with the frame alone, in each language, rendered and styled
 * before any script runs. The page that apps open preloads only the scripts that show the request; anything more would slow those down.
 */
export async function writeBeginnings(
  web: string,
  dist: string,
  { shown }: { shown: readonly string[] },
): Promise<void> {
  const index = join(dist, 'index.html')
  const page = withHosts(withStyle(dist, readFileSync(index, 'utf8')), didWebHosts())
  for (const { file, language, markup, script, templates } of await draw(web)) {
    const plain = templates === undefined ? page : withPreloads(dist, page, shown)
    const hideable = script === undefined ? plain : withScript(plain, script)
    const begun = file.startsWith('index.') ? onBand(hideable) : hideable
    writeFileSync(join(dist, file), fill(begun, language, markup, templates))
  }
}
