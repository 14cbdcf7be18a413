import { useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/buttons/button.tsx'
import { Choice } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useKindOptions } from './kind-options.ts'
import { emptyNode, hasField, insides, type PolicyNode, withKind } from './node.ts'

/** Props that all limits share. */
export interface NodeLook {
  /** By the limits' ids. */
  problems: Readonly<Record<number, string>>
  /** The id of a limit just added with an example. Its value is selected, ready to type over. */
  fresh: number | undefined
  /** An example value for a field. */
  exampleOf: (field: string) => string | undefined
}

interface NodeEditorProps {
  node: PolicyNode
  /** Its number among the limits: "2", or "2.1" inside the second. */
  number: string
  look: NodeLook
  onNodeChange: (node: PolicyNode) => void
  /** Absent if it can't be removed: inside a `not`, an `all` and an `any`. */
  onRemove?: (() => void) | undefined
}

/** One limit in words, with the limits inside it. */
export function NodeEditor({ node, number, look, onNodeChange, onRemove }: NodeEditorProps) {
  const { t } = useLingui()
  const options = useKindOptions()
  const inside = insides(node.kind)
  const isLeaf = inside === 'none'
  // Don't show an error before anything has been typed.
  const shown = node.field === '' && node.value === '' ? undefined : look.problems[node.id]
  const value = useRef<HTMLInputElement>(null)
  const isFresh = node.id === look.fresh
  useEffect(() => {
    if (isFresh) value.current?.select()
  }, [isFresh])
  const example = look.exampleOf(node.field) ?? (node.kind === 'like' ? '*@example.com' : '5000')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-control bg-sunken p-2">
      <legend className="sr-only">{t`Limit ${number}`}</legend>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <div className="grid min-w-0 gap-2 sm:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]">
          {hasField(node.kind) ? (
            <TextField
              label={t`Limit ${number}: field`}
              labelHidden
              mono
              placeholder=".amount"
              value={node.field}
              onValueChange={(field) => onNodeChange({ ...node, field })}
              error={shown}
            />
          ) : null}
          <Choice
            label={t`Limit ${number}: comparison`}
            labelHidden
            options={options}
            value={node.kind}
            onValueChange={(kind) => onNodeChange(withKind(node, kind))}
          />
          {isLeaf ? (
            <TextField
              label={t`Limit ${number}: value`}
              labelHidden
              mono
              placeholder={example}
              ref={value}
              value={node.value}
              onValueChange={(value) => onNodeChange({ ...node, value })}
            />
          ) : null}
        </div>
        {onRemove ? (
          <Button
            tone="bare"
            aria-label={t`Remove limit ${number}`}
            className="h-11 px-3"
            onClick={onRemove}
            icon={<X className="size-4" aria-hidden />}
          />
        ) : null}
      </div>
      {isLeaf ? null : (
        <div className="border-line-strong border-l-2 pl-2 sm:pl-4">
          <NodeList
            nodes={inside === 'one' ? node.of.slice(0, 1) : node.of}
            prefix={`${number}.`}
            look={look}
            onNodesChange={(of) => onNodeChange({ ...node, of })}
            fixed={inside === 'one'}
          />
        </div>
      )}
    </fieldset>
  )
}

interface NodeListProps {
  nodes: readonly PolicyNode[]
  /** The start of each limit's number. */
  prefix: string
  look: NodeLook
  onNodesChange: (nodes: readonly PolicyNode[]) => void
  /** Whether there is always exactly one limit. */
  fixed?: boolean
}

/** Limits, one below the other, with a button to add one. */
export function NodeList({ nodes, prefix, look, onNodesChange, fixed = false }: NodeListProps) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {nodes.map((node, index) => (
        <NodeEditor
          key={node.id}
          node={node}
          number={`${prefix}${index + 1}`}
          look={look}
          onNodeChange={(next) => onNodesChange(nodes.map((other) => (other.id === next.id ? next : other)))}
          onRemove={fixed ? undefined : () => onNodesChange(nodes.filter((other) => other.id !== node.id))}
        />
      ))}
      {fixed ? null : (
        <Button
          size="small"
          className="self-start"
          onClick={() => onNodesChange([...nodes, emptyNode()])}
          icon={<Plus className="size-4" aria-hidden />}
        >
          {prefix === '' ? t`Add a limit` : t`Add a limit inside ${prefix.slice(0, -1)}`}
        </Button>
      )}
    </div>
  )
}
