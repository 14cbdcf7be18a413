import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ends } from '../../text/ends.ts'
import { CopyButton } from '../buttons/copy-button.tsx'
import { Identicon } from './identicon.tsx'

interface DidTextProps {
  /** The whole DID, address or CID. */
  text: string
  /** What it is, for the copy button: "the DID". */
  what: string
  /** What is shown instead of the shortened text. */
  shown?: string
}

/**
 * An identifier: its picture unless it is an address, its two ends, and a button that copies all of it. Pressing the text shows the rest. The whole
 * text is in the page either way, so that selecting, searching and reading aloud meet all of it.
 */
export function DidText({ text, what, shown }: DidTextProps) {
  const { t } = useLingui()
  const [whole, setWhole] = useState(false)
  const [head, middle, tail] = shown === undefined ? ends(text) : [shown, '', '']
  const long = middle !== '' || (shown !== undefined && shown !== text)
  const code = (
    <code className="min-w-0 break-all text-ink-soft text-sm">
      {whole ? (
        text
      ) : (
        <>
          {head}
          {middle ? <span className="kh-middle">{middle}</span> : null}
          {tail}
        </>
      )}
    </code>
  )
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1.5 align-middle [&>button]:-my-1.5">
      {/* An account's picture is its DID's. */}
      {text.startsWith('kh1') ? null : <Identicon text={text} />}
      {long ? (
        <button
          type="button"
          aria-expanded={whole}
          title={whole ? t`Show less` : t`Show all of it`}
          onClick={() => setWhole(!whole)}
          className="reach min-h-6 min-w-0 rounded-sm text-left hover:underline hover:decoration-line-strong hover:underline-offset-4"
        >
          {code}
        </button>
      ) : (
        code
      )}
      <CopyButton text={text} what={what} />
    </span>
  )
}
