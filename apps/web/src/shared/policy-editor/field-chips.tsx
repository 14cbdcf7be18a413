import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { Button } from '../ui/buttons/button.tsx'
import { fieldName } from '../words/policy.ts'
import type { KnownField } from './known-fields.ts'
import { emptyNode, type PolicyNode } from './node.ts'

interface FieldChipsProps {
  fields: readonly KnownField[]
  /** The existing limits: their fields aren't offered again. */
  nodes: readonly PolicyNode[]
  onAdd: (node: PolicyNode) => void
}

/** Fields of the command to limit, each with an example. Empty if none are left. */
export function FieldChips({ fields, nodes, onAdd }: FieldChipsProps) {
  const { t } = useLingui()
  const left = fields.filter(({ field }) => !nodes.some((node) => node.field === field))
  if (left.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="float-left pr-2 text-ink-faint text-sm">
        <Trans>Often limited:</Trans>
      </legend>
      {left.map(({ field, kind, example }) => {
        const name = fieldName(field)
        return (
          <Button
            key={field}
            size="small"
            title={t`For example ${example}`}
            icon={<Plus className="size-4" aria-hidden />}
            onClick={() => onAdd({ ...emptyNode(kind), field, value: example })}
          >
            {t`Limit “${name}”`}
          </Button>
        )
      })}
    </fieldset>
  )
}
