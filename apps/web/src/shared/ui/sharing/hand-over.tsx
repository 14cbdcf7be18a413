import { useLingui } from '@lingui/react/macro'
import { CopyButton } from '../buttons/copy-button.tsx'
import { CodeBlock } from '../text/code-block.tsx'
import { QrButton } from './qr-button.tsx'
import { ShareButton } from './share-button.tsx'

interface HandOverProps {
  /** The token's text. */
  text: string
  /** What it is, for its heading: "token". */
  label: string
  /** The same as it is said aloud: "the token". */
  what: string
  /** How the copy button looks. Default: quiet. */
  tone?: 'primary' | undefined
}

/** A text that was signed, and the ways to give it to someone: copied, as a QR code, by the machine's share sheet. */
export function HandOver({ text, label, what, tone }: HandOverProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock label={label} text={text} />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} what={what} label={t`Copy`} tone={tone} />
        <QrButton text={text} what={what} label={t`QR code`} />
        <ShareButton title={what} text={text} />
      </div>
    </div>
  )
}
