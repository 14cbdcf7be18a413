import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { TEMPLATES, type Template } from '../../shared/grant-form/templates.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'

/** Shows what saved services offer, with `beside` after it; `otherwise` where they offer nothing. */
export type OfferedTemplates = (parts: { otherwise: ReactNode; beside: ReactNode }) => ReactNode

interface TemplateListProps {
  onPick: (template: Template) => void
  own: ReactNode
  /** Absent if the owner has saved no service. */
  offered: OfferedTemplates | undefined
}

/**
 * Cases to start from: the owner's own, what their services offer, then common ones by whom they are for. Made-up names of servers are shown only
 * where there are no real ones. Each one's line is read out with its name.
 */
export function TemplateList({ onPick, own, offered }: TemplateListProps) {
  const { i18n } = useLingui()
  const groups = (isWanted: (template: Template) => boolean) =>
    TEMPLATES.map(({ who, templates }) => (
      <fieldset
        key={templates[0]?.id}
        aria-label={i18n._(who)}
        className="grid items-baseline gap-x-3 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]"
      >
        <span className="text-ink-faint text-sm" aria-hidden="true">
          {i18n._(who)}
        </span>
        <div className="flex flex-wrap gap-2">
          {templates.filter(isWanted).map((template) => (
            <Button
              key={template.id}
              size="small"
              title={i18n._(template.note)}
              onClick={() => onPick(template)}
            >
              {i18n._(template.name)}
            </Button>
          ))}
        </div>
      </fieldset>
    ))
  const all = groups(() => true)
  return (
    <section className="flex flex-col gap-3" aria-labelledby="grant-templates">
      <h3 className="font-medium text-sm" id="grant-templates">
        <Trans>Start from a common case</Trans>
      </h3>
      {own}
      {offered ? offered({ otherwise: all, beside: groups(({ ofGate }) => ofGate !== true) }) : all}
    </section>
  )
}
