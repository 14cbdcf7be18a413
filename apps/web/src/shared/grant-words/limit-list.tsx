import { cx } from '../ui/cx.ts'
import { INNER, LIST, NOTE } from './limit-look.ts'
import type { Limit } from './limits.ts'
import { shallowLimits } from './shallow-limits.ts'

interface LimitListProps {
  limits: readonly Limit[]
  className?: string | undefined
}

/** Limits as a tree: one condition per line, with groups indented below their heading, as far as there is room. */
export function LimitList({ limits, className }: LimitListProps) {
  return <List limits={shallowLimits(limits)} className={className} />
}

function List({ limits, className }: LimitListProps) {
  return (
    <ul className={cx(LIST, className)}>
      {limits.map((limit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: limits are an ordered list that is redrawn as a whole
        <LimitItem key={index} limit={limit} />
      ))}
    </ul>
  )
}

function LimitItem({ limit: { text, of, note } }: { limit: Limit }) {
  return (
    <li>
      {of === undefined ? <span className="font-semibold">{text}</span> : text}
      {of === undefined ? null : <List limits={of} className={INNER} />}
      {note === undefined ? null : <span className={NOTE}>{note}</span>}
    </li>
  )
}
