import { CopyButton } from './copy-button.tsx'

interface DidTextProps {
  /** The whole DID, address or CID. */
  text: string
  /** What it is, for the copy button: "the DID". */
  what: string
  /** What is shown; the whole text when left out. */
  shown?: string
}

/** An identifier in monospace with a button that copies all of it. */
export function DidText({ text, what, shown }: DidTextProps) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-baseline gap-1 [&>button]:-my-2 [&>button]:self-center">
      <code className="min-w-0 break-all text-ink-soft text-sm" title={shown ? text : undefined}>
        {shown ?? text}
      </code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
