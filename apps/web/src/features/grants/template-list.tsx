import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { TEMPLATES, type Template } from '../../shared/grant-form/templates.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'

/** Cases to start from: the owner's own, then common ones by whom they are for. Each one's line is read out with its name. */
export function TemplateList({ onPick, own }: { onPick: (template: Template) => void; own: ReactNode }) {
  const { i18n } = useLingui()
  return (
    <section className="flex flex-col gap-3" aria-labelledby="grant-templates">
      <h3 className="font-medium text-sm" id="grant-templates">
        <Trans>Start from a common case</Trans>
      </h3>
      {own}
      {TEMPLATES.map(({ who, templates }) => (
        <fieldset
          key={templates[0]?.id}
          aria-label={i18n._(who)}
          className="grid items-baseline gap-x-3 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]"
        >
          <span className="text-ink-faint text-sm" aria-hidden="true">
            {i18n._(who)}
          </span>
          <div className="flex flex-wrap gap-2">
            {templates.map((template) => (
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
      ))}
    </section>
  )
}
