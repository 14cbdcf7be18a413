import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { download } from '../browser/download.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { QrButton } from '../ui/sharing/qr-button.tsx'
import { ShareButton } from '../ui/sharing/share-button.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import { type LinkedGrant, useGrantLink } from './use-grant-link.ts'

/** The ways to give a grant to its recipient: a link, its QR code, the share sheet, a file, the text itself. */
export function HandOverGrant({ grant }: { grant: LinkedGrant }) {
  const { t } = useLingui()
  const { token, cid } = grant
  const { link, asks, taken } = useGrantLink(grant)
  const title = t`A grant from Keyhole`
  return (
    <section aria-label={t`Hand it over`} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {link === undefined ? null : (
          <>
            <CopyButton text={link} what={t`the link`} label={t`Copy the link`} onTaken={taken} />
            <QrButton text={link} what={t`the link`} label={t`QR code`} onTaken={taken} />
          </>
        )}
        <ShareButton
          title={title}
          {...(link === undefined ? { text: token } : { url: link })}
          onTaken={taken}
        />
        <Button
          size="small"
          icon={<Download className="size-4" aria-hidden />}
          onClick={() => download(`keyhole-grant-${cid.slice(-8)}.txt`, token, 'text/plain')}
        >
          {t`Save as a file`}
        </Button>
        <CopyButton text={token} what={t`the token`} label={t`Copy the token`} />
      </div>
      <p className="text-ink-soft text-sm">
        {link === undefined
          ? t`This token is too long for a link. Send the file.`
          : t`The link contains the whole token, after the #. The token isn’t sent to any server.`}
        {asks ? ` ${t`If their Keyhole reports it, you’ll see here that they opened it.`}` : null}
      </p>
      <Fold title={t`Exact token`}>
        <CodeBlock label={t`token`} text={token} />
      </Fold>
    </section>
  )
}
