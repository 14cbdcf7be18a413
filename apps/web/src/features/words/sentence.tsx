import { cx } from '../../components/cx.ts'
import { type Capability, delegationParts } from './delegation.ts'
import { partLook } from './parts.ts'
import type { Acquaintance } from './who.ts'

interface SentenceProps {
  capability: Capability
  acquaintance: Acquaintance
  className?: string
}

/** A delegation as a sentence, with who, what and when set in weight and whole DIDs on hover. */
export function Sentence({ capability, acquaintance, className }: SentenceProps) {
  return (
    <p className={cx('wrap-anywhere [contain:paint]', className)}>
      {delegationParts(capability, acquaintance).map((part, index) => {
        const key = `${index}:${part.kind}`
        if (part.kind === 'plain') return <span key={key}>{part.text}</span>
        return (
          <strong key={key} title={part.full} className={partLook(part)}>
            {part.text}
          </strong>
        )
      })}
    </p>
  )
}
