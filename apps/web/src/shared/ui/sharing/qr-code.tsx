import { useLingui } from '@lingui/react/macro'
import { Notice } from '../feedback/notice.tsx'
import { qrModules } from './qr-modules.ts'

interface QrCodeProps {
  text: string
  /** What the code holds, as it is said aloud: "the address". */
  what: string
}

/** A text as a QR code: dark on light in every theme, because many readers know nothing else. */
export default function QrCode({ text, what }: QrCodeProps) {
  const { t } = useLingui()
  const code = qrModules(text)
  if (!code) {
    return (
      <Notice tone="warn">
        {t`This is more than a QR code holds (2,953 bytes). Copy it, or hand it on as a file.`}
      </Notice>
    )
  }
  return (
    <svg
      viewBox={`0 0 ${code.side} ${code.side}`}
      role="img"
      aria-label={t`QR code of ${what}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-[min(26rem,60dvh)] rounded-control forced-color-adjust-none"
    >
      <rect width={code.side} height={code.side} fill="#ffffff" />
      <path d={code.path} fill="#000000" />
    </svg>
  )
}
