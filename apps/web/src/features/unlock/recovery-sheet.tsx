import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, lazy, Suspense } from 'react'
import { createPortal } from 'react-dom'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { useCodeOpens } from '../../shared/vault/code-opens.ts'
import { moment } from '../../shared/words/when.ts'
import { shorten } from '../../shared/words/who.ts'

// The sheet is of use without its QR code, and the code above it must stay on screen.
const QrCode = lazy<ComponentType<{ text: string; what: string }>>(() =>
  import('../../shared/ui/sharing/qr-code.tsx').catch(() => ({ default: () => null })),
)

/** On paper it takes the page's place; on screen it isn't shown. The code is nowhere but in the document, and goes with this. */
export function RecoverySheet({ code }: { code: string }) {
  const { t } = useLingui()
  const { label = '', address = '' } = useVaultSnapshot()
  const opens = useCodeOpens()
  const site = location.host
  return createPortal(
    <section className="print-sheet">
      <p className="font-semibold">Keyhole</p>
      <h1 className="mb-6 font-semibold text-3xl">
        <Trans>Recovery sheet</Trans>
      </h1>
      <Facts
        facts={[
          [t`Vault`, label],
          [t`Address`, shorten(address, 8, 6)],
          [t`Date`, moment(Date.now())],
        ]}
      />
      <h2 className="mt-8 mb-3 font-semibold text-xl">
        <Trans>Recovery code</Trans>
      </h2>
      <div className="flex items-center gap-8">
        <p className="grid grid-cols-2 gap-x-8 gap-y-2 font-mono text-3xl tracking-widest">
          {code.split('-').map((group) => (
            <span key={group}>{group}</span>
          ))}
        </p>
        <div className="w-48 shrink-0">
          <Suspense fallback={null}>
            <QrCode text={code} what={t`recovery code`} />
          </Suspense>
        </div>
      </div>
      <h2 className="mt-8 mb-3 font-semibold text-xl">
        <Trans>What to do with this sheet</Trans>
      </h2>
      <ol className="flex max-w-prose list-decimal flex-col gap-2 pl-5">
        {opens ? (
          <>
            <li>
              <Trans>Keep it in a safe place: the code and the address of the site open your vault.</Trans>
            </li>
            <li>
              <Trans>
                If you lose your devices, open {site}, choose “Restore”, then “A recovery code”, and type or
                scan this code. You need no backup file.
              </Trans>
            </li>
          </>
        ) : (
          <>
            <li>
              <Trans>
                Keep it in a safe place, away from your backup file: both together open your vault.
              </Trans>
            </li>
            <li>
              <Trans>
                If you lose your devices, open {site}, drop your backup file there, and type or scan this
                code.
              </Trans>
            </li>
          </>
        )}
        <li>
          <Trans>If someone else has seen the code, create a new one in Settings, under Unlocking.</Trans>
        </li>
      </ol>
    </section>,
    document.body,
  )
}
