import { cx } from '../ui/cx.ts'
import { type Contacts, KEY_END } from '../words/who.ts'
import { LimitList } from './limit-list.tsx'
import { OPEN_NOTE } from './limit-look.ts'
import { partDirection, partLook } from './parts.ts'
import { type Capability, grantText, type Part, tellGrant } from './sentence.ts'

interface SentenceViewProps {
  capability: Capability
  contacts: Contacts
  className?: string | undefined
}

/**
 * A grant in words: its budget, if it has one; the sentence, with who, what and when emphasised and whole DIDs on hover; all its limits below; and what they leave
 * open.
 */
export function SentenceView({ capability, contacts, className }: SentenceViewProps) {
  const { budget, sentence, limits, notes } = tellGrant(capability, contacts)
  return (
    <div className={cx('wrap-anywhere [contain:paint]', className)}>
      {budget === undefined ? null : <p className="mb-1 font-semibold">{budget}</p>}
      <p>
        <Sentence parts={sentence} />
      </p>
      {limits.length === 0 ? null : <LimitList limits={limits} />}
      {notes.map((note) => (
        <p key={note} className={OPEN_NOTE}>
          {note}
        </p>
      ))}
    </div>
  )
}

interface SentenceTextProps {
  capability: Capability
  contacts: Contacts
  /** Milliseconds since 1970. */
  now: number
}

/** The same as one text, where there is no room for a tree. */
export function SentenceText({ capability, contacts, now }: SentenceTextProps) {
  const grant = tellGrant(capability, contacts, now)
  return (
    <>
      {grant.budget === undefined ? null : <strong className="font-semibold">{grant.budget} </strong>}
      <Sentence parts={grant.sentence} />
      {grantText({ ...grant, budget: undefined, sentence: [] })}
    </>
  )
}

function Sentence({ parts }: { parts: readonly Part[] }) {
  return parts.map((part, index) => {
    const key = `${index}:${part.kind}`
    if (part.kind === 'plain') return <span key={key}>{part.text}</span>
    return (
      <strong key={key} dir={partDirection(part)} title={part.full} className={partLook(part)}>
        {part.kind === 'who' ? <Who text={part.text} /> : part.text}
      </strong>
    )
  })
}

/** The end of a key at the end of a text, or before a word about it. */
const TAIL = new RegExp(String.raw`${KEY_END}(?=$| \(\p{L}+\)$)`, 'u')

/** A text that ends in a name, with the end of its key in one piece. The comma that may follow stays on its line. */
export function Who({ text }: { text: string }) {
  const found = TAIL.exec(text)
  if (!found) return text
  const [tail] = found
  return (
    <>
      {text.slice(0, found.index)}
      <span className="whitespace-nowrap">{tail}</span>
      {text.slice(found.index + tail.length)}
    </>
  )
}
