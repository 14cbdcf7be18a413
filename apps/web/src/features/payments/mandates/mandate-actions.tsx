import type { Mandate } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { ConfirmDialog, Final } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { explainText } from '../../../shared/words/explain-refusal.ts'
import { whyFixed } from '../../../shared/words/refusals/why-fixed.ts'
import { signedWho } from '../../../shared/words/who.ts'
import type { MandateState } from './mandate-state.ts'
import { mandateCapability } from './mandate-words.ts'

interface MandateActsProps {
  mandate: Mandate
  name: string
  state: MandateState
  /** What else can be done. */
  children?: ReactNode
}

/** What can be done about a mandate: suspend it, resume it, revoke it. */
export function MandateActions({ mandate, name, state, children }: MandateActsProps) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const contacts = useContacts()
  const [revoking, setRevoking] = useState(false)
  const { cid } = mandate
  const over = state === 'ended'
  // Only the device that counts it suspends and resumes it.
  const isElsewhere = mandate.keeper !== undefined
  const suspend = useAction(async (suspended: boolean) => {
    await vault.mandates.suspend(cid, suspended)
    if (!suspended) announce(t`Resumed`, t`Payments under “${name}” work again.`, { about: cid })
    else
      announce(t`Suspended`, t`No payments under “${name}” until you resume it.`, {
        about: cid,
        undo: async () => {
          await vault.mandates.suspend(cid, false)
        },
      })
  })
  return (
    <>
      <div className="flex basis-full flex-wrap gap-2">
        {isElsewhere ? null : state === 'suspended' ? (
          <Button size="small" why={why} busy={suspend.pending} onClick={() => suspend.run(false)}>
            <Trans>Resume</Trans>
          </Button>
        ) : over ? null : (
          <Button size="small" why={why} busy={suspend.pending} onClick={() => suspend.run(true)}>
            <Trans>Suspend</Trans>
          </Button>
        )}
        {over ? null : (
          <Button size="small" why={why} onClick={() => setRevoking(true)}>
            <Trans>Revoke…</Trans>
          </Button>
        )}
        {children}
      </div>
      {suspend.error === undefined ? null : (
        <div className="basis-full">
          <Failure error={suspend.error} />
        </div>
      )}
      <ConfirmDialog
        open={revoking}
        onOpenChange={setRevoking}
        title={t`Revoke “${name}”?`}
        asks={`${cid} ${name}`}
        action={t`Revoke`}
        explain={explainText}
        onConfirm={async () => {
          await vault.mandates.end(cid)
          announce(t`Revoked`, t`No more payments under “${name}”.`, { about: cid })
        }}
      >
        <Final />
        <SentenceView capability={mandateCapability(mandate)} contacts={contacts} />
        {mandate.own ? (
          <p>
            <Trans>This vault stops paying under it.</Trans>
          </p>
        ) : (
          <div>
            <p>
              <Trans>Who loses access, and anyone they passed it on to:</Trans>
            </p>
            <ContactName did={mandate.audience} what={t`the holder’s DID`} tell={signedWho} />
          </div>
        )}
        <p>
          <Trans>
            Revoking takes effect at once in this browser, and on your other devices as soon as they hear of
            it.
          </Trans>
        </p>
        <p>
          <Trans>If you restored the vault in another browser, revoke it there too.</Trans>
        </p>
        <p>
          <Trans>Payments that you have authorised stay valid until they expire, within the hour.</Trans>
        </p>
      </ConfirmDialog>
    </>
  )
}
