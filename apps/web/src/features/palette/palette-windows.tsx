import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { pageStart } from '../../shared/browser/focus-memory.ts'
import { useAsked } from '../../shared/grant-actions/use-asked.ts'
import { tokenClient } from '../../shared/search-index/token-client.ts'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { explain } from '../../shared/words/explain-refusal.ts'
import { PaletteDialog } from './palette-dialog.tsx'
import type { Shortcut } from './shortcuts/keys.ts'
import { ShortcutList } from './shortcuts/shortcut-list.tsx'
import type { Shown } from './shown.ts'
import { useText } from './use-text.ts'

const RevokeDialog = lazy(async () => ({
  default: (await import('../../shared/grant-actions/dialogs.ts')).RevokeDialog,
}))
const Glossary = lazy(() =>
  import('../../shared/glossary/glossary.tsx').then((m) => ({ default: m.Glossary })),
)
const Scanner = lazy(() => import('../../shared/ui/sharing/scanner.tsx'))

interface PaletteWindowsProps {
  shown: Shown | undefined
  /** Shows another one, or none. */
  onShow: (shown: Shown | undefined) => void
  perform: (shortcut: Shortcut) => void
  /** What unlocks the vault, given what closes its dialog. */
  unlockForm: (close: () => void) => ReactNode
}

/** Whatever of the palette is open: a chunk of its own, which stays so that each dialog can give the focus back. */
export default function PaletteWindows({ shown, onShow, perform, unlockForm }: PaletteWindowsProps) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const goWith = useText()
  // It is loaded once it is asked for, and stays so that the focus comes back.
  const [hadWords, setHadWords] = useState(false)
  if (shown === 'words' && !hadWords) setHadWords(true)
  const { asked, isOpen, setOpen, ask } = useAsked()
  const askToRevoke = (cid: string) =>
    void tokenClient()
      .ask({ ask: 'token', cid })
      .then(
        ({ token }) => ask(token ? [token] : []),
        (error: unknown) => announce(explain(error).title, explain(error).advice),
      )
  const close = (open: boolean) => {
    if (!open) onShow(undefined)
  }
  return (
    <>
      <PaletteDialog
        open={shown === 'palette'}
        onOpenChange={close}
        onShow={onShow}
        onRevoke={askToRevoke}
        perform={perform}
      />
      {asked.length > 0 ? (
        <Suspense fallback={null}>
          {/* What opened it may have been the row of the grant. */}
          <RevokeDialog
            grants={asked}
            open={isOpen}
            onOpenChange={setOpen}
            leadsTo={() => pageStart() ?? null}
          />
        </Suspense>
      ) : null}
      {hadWords ? (
        <Suspense fallback={null}>
          <Glossary open={shown === 'words'} onOpenChange={close} />
        </Suspense>
      ) : null}
      <ShortcutList open={shown === 'list'} onOpenChange={close} />
      <Dialog
        open={shown === 'unlock'}
        onOpenChange={close}
        title={t`Unlock the vault`}
        description={t`What you enter stays in this browser.`}
        leadsTo={() => (phase === 'unlocked' ? pageStart() : undefined)}
      >
        {unlockForm(() => onShow(undefined))}
      </Dialog>
      <Dialog
        open={shown === 'scan'}
        onOpenChange={close}
        title={t`Scan a QR code`}
        description={t`Keyhole checks a token, starts a grant for a DID, and searches for anything else. The picture stays in this tab.`}
      >
        <Suspense
          fallback={
            <Slow>
              <p role="status" className="py-16 text-center text-ink-soft">
                <Trans>Getting ready…</Trans>
              </p>
            </Slow>
          }
        >
          <Scanner
            onText={(text) => {
              onShow(undefined)
              goWith(text)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
