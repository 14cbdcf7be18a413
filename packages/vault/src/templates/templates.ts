import * as v from 'valibot'
import { refused } from '../base/errors.ts'
import { cleanContactName } from '../contacts/contact.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { sealMetadata } from '../storage/sealed-metadata.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import {
  removedTemplate,
  TEMPLATE_LIFETIME_MAX,
  TEMPLATE_NAME_MAX,
  TEMPLATE_TEXT_MAX,
  TEMPLATES_MAX,
  type Template,
  type TemplateDraft,
  templateRecord,
} from './template.ts'

/** Templates are metadata with this prefix and the template's id. */
const PREFIX = 'template:'

interface Removed {
  readonly id: string
  readonly removed: true
  readonly updatedAt: number
}

const stored = v.pipe(v.string(), v.parseJson(), v.union([removedTemplate, templateRecord]))

/** The owner's own templates for grants. Each is a separate sealed record; grants don't depend on them. */
export class Templates {
  readonly #context: VaultContext
  readonly #changes: Changes
  /** Without persistence: the records of each of this page's accounts. */
  readonly #held = new Map<string, Map<string, MetadataRecord>>()
  /** Ids of records already reported. */
  readonly #reported = new Set<string>()

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  /** Every template, oldest first. @throws VaultError VAULT_LOCKED */
  async list(): Promise<readonly Template[]> {
    this.#context.requireUnlocked()
    return kept(await this.#read())
  }

  /**
   * Saves a new template, or changes to one.
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED by name: `TemplateUnknown`, `TemplateNameRequired`,
   *   `TemplateTooLong`, `TemplatesTooMany`. Nothing was changed
   */
  async save(draft: TemplateDraft): Promise<Template> {
    let saved: Template | undefined
    await this.#edit('saveTemplate', (all, now) => {
      const templates = kept(all)
      const before = 'id' in draft ? find(templates, draft.id) : undefined
      if (before === undefined && templates.length >= TEMPLATES_MAX)
        throw refused('TemplatesTooMany', { most: TEMPLATES_MAX })
      const id = before?.id ?? crypto.randomUUID()
      const updatedAt = now(id)
      const blank = { command: '', policy: '[]', lifetime: 0, createdAt: updatedAt }
      saved = checked({ name: '', ...blank, ...before, ...draft, id, updatedAt })
      return saved
    })
    if (saved === undefined) throw refused('TemplateUnknown')
    return saved
  }

  /**
   * Removes a template. @returns what was removed
   * @throws VaultError VAULT_LOCKED; OPERATION_FAILED `TemplateUnknown`
   */
  async remove(id: string): Promise<Template> {
    let gone: Template | undefined
    await this.#edit('removeTemplate', (all, now) => {
      gone = find(kept(all), id)
      return { id, removed: true, updatedAt: now(id) }
    })
    if (gone === undefined) throw refused('TemplateUnknown')
    return gone
  }

  /** Applies an edit to what is stored by then, and writes it with its log line in one transaction. */
  async #edit(
    act: string,
    make: (all: readonly (Template | Removed)[], now: (id: string) => number) => Template | Removed,
  ): Promise<void> {
    const context = this.#context
    context.requireUnlocked()
    const { enclave } = context.client
    const { address = '' } = context.snapshot
    const about: Record<string, string> = {}
    const batch = async (): Promise<StateBatch> => {
      const all = await this.#read()
      // Later than what is stored, even if the clock was set back.
      const now = (id: string) =>
        Math.max(context.clock.now(), ...all.flatMap((each) => (each.id === id ? [each.updatedAt + 1] : [])))
      const made = make(all, now)
      Object.assign(about, { template: made.id })
      const text = JSON.stringify(made)
      return {
        metadata: [await sealMetadata(enclave, address, `${PREFIX}${made.id}`, text, made.updatedAt)],
      }
    }
    if (context.isPersistent) await this.#changes.record(act, about, batch, enclave)
    else {
      await withWriteLock(address, async () => {
        const held = this.#held.get(address) ?? new Map<string, MetadataRecord>()
        for (const record of (await batch()).metadata ?? []) held.set(record.id, record)
        this.#held.set(address, held)
      })
    }
    context.changed('templates')
  }

  /** What is stored, including what remains of removed ones. */
  async #read(): Promise<(Template | Removed)[]> {
    const { client, isPersistent, snapshot } = this.#context
    const { address = '' } = snapshot
    const records = isPersistent
      ? await client.storage.readMetadataUnder(PREFIX)
      : [...(this.#held.get(address)?.values() ?? [])]
    const sealed = records.map(({ key, sealed: text }) => ({ context: metadataContext(key), text }))
    const texts = await openTexts(client.enclave, sealed)
    return records.flatMap(({ key }, at) => {
      const { success, output } = v.safeParse(stored, texts[at])
      if (success && key === `${PREFIX}${output.id}`) return [output]
      this.#report(`${address} ${key}`, key)
      return []
    })
  }

  #report(once: string, id: string): void {
    if (this.#reported.has(once)) return
    this.#reported.add(once)
    this.#context.raiseUnreadable('metadata', id)
  }
}

function kept(all: readonly (Template | Removed)[]): Template[] {
  return all
    .filter((each): each is Template => !('removed' in each))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

/** @throws VaultError OPERATION_FAILED `TemplateUnknown` */
function find(templates: readonly Template[], id: string): Template {
  const template = templates.find((each) => each.id === id)
  if (template) return template
  throw refused('TemplateUnknown', {}, { details: { id } })
}

/** @throws VaultError OPERATION_FAILED: `TemplateNameRequired`, `TemplateTooLong` */
function checked(template: Template): Template {
  const name = cleanContactName(template.name)
  if (name === '') throw refused('TemplateNameRequired')
  if (name.length > TEMPLATE_NAME_MAX) throw refused('TemplateTooLong', { most: TEMPLATE_NAME_MAX })
  if (template.command.length + template.policy.length > TEMPLATE_TEXT_MAX)
    throw refused('TemplateTooLong', { most: TEMPLATE_TEXT_MAX })
  // A time that was chosen and has passed by now still makes a template.
  const lifetime = Math.trunc(Math.min(Math.max(template.lifetime, 1), TEMPLATE_LIFETIME_MAX))
  return { ...template, name, lifetime }
}
