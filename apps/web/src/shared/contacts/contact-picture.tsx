import { cx } from '../ui/cx.ts'
import { Identicon } from '../ui/text/identicon.tsx'
import { pinColour, pins } from '../ui/text/identicon-pins.ts'

interface ContactPictureProps {
  /** The source of the picture: the DID, or the id of a contact that has none. */
  of: string
  /** The contact's name, if it has one. */
  name?: string | undefined
  kind?: string | undefined
  className?: string
}

/** The first letter of a name, as people see letters. */
function initial(name: string): string {
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of letters.segment(name))
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(segment)) return segment
  return ''
}

/** A person shows the first letter of the name, anything else its identicon, in the colour of its DID. Decorative: the name is next to it. */
export function ContactPicture({ of, name, kind, className }: ContactPictureProps) {
  const letter = kind === 'person' && name !== undefined ? initial(name) : ''
  if (letter === '') return <Identicon text={of} {...(className !== undefined && { className })} />
  const colour = pinColour(pins(of).hue)
  return (
    <svg viewBox="0 0 32 32" className={cx('size-5 shrink-0', className)} aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={colour} opacity="0.16" />
      <text
        x="16"
        y="16"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="17"
        fontWeight="600"
        fill="currentColor"
      >
        {letter.toUpperCase()}
      </text>
    </svg>
  )
}
