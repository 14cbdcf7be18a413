import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { Template, TemplateDraft } from './template.ts'
import type { Templates } from './templates.ts'

/** The owner's templates, whose code is loaded on first use: only granting needs it. A failed load is tried again. */
export class TemplatesPart {
  readonly #load: () => Promise<Templates>

  constructor(context: VaultContext, changes: Changes) {
    let templates: Templates | undefined
    this.#load = async () => {
      const { Templates } = await import('./templates.ts')
      templates ??= new Templates(context, changes)
      return templates
    }
  }

  /** @see Templates.list */
  async list(): Promise<readonly Template[]> {
    return await (await this.#load()).list()
  }

  /** @see Templates.save */
  async save(draft: TemplateDraft): Promise<Template> {
    return await (await this.#load()).save(draft)
  }

  /** @see Templates.remove */
  async remove(id: string): Promise<Template> {
    return await (await this.#load()).remove(id)
  }
}
