import { readdirSync, readFileSync } from 'node:fs'
import { i18n } from '@lingui/core'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'

const FOLDER = new URL('../locales/de/', import.meta.url)

/** Loads the client's German messages. English stays active. */
export async function loadGerman(): Promise<void> {
  const messages: Record<string, ReturnType<typeof compileMessage>> = {}
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.po'))) {
    const catalogue = await formatter().parse(readFileSync(new URL(file, FOLDER), 'utf8'), {
      locale: 'de',
      sourceLocale: 'en',
      filename: file,
    })
    for (const [id, { translation }] of Object.entries(catalogue ?? {})) {
      if (translation) messages[id] = compileMessage(translation)
    }
  }
  i18n.load('de', messages)
}

/** Runs something with the client in German, then restores English. */
export async function inGerman(run: () => void): Promise<void> {
  await loadGerman()
  i18n.activate('de')
  try {
    run()
  } finally {
    i18n.activate('en')
  }
}
