import { createPasskey, type ForeignKey, forgetPasskey } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useRef, useState } from 'react'
import { beginSetup } from '../../../features/account/setup.ts'
import { clearDraft, useDraft } from '../../../shared/hooks/drafts.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { useCanUsePasskeys } from '../../../shared/hooks/use-can-use-passkeys.ts'
import { NewPassphrase } from '../../../shared/passphrase/new-passphrase.tsx'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { RadioCards } from '../../../shared/ui/fields/radio-cards.tsx'
import { UsernameHint } from '../../../shared/ui/fields/username-hint.tsx'
import { Form } from '../../../shared/ui/layout/form.tsx'
import { keepProof, sealProof } from '../../../shared/unlock-proof/recent-proof.ts'
import { whenOpened } from '../../../shared/vault/is-opening.ts'
import { firstOpening, isOpening, type Opening, openings } from '../methods.ts'

interface UnlockStepProps {
  name: string
  firstKey?: () => ForeignKey
  onBack: () => void
}

/** Chooses how a new vault is unlocked, and makes it. The next steps need no second proof of who is there. */
export function UnlockStep({ name, firstKey, onBack }: UnlockStepProps) {
  const { t } = useLingui()
  const vault = useVault()
  const hasChoice = useCanUsePasskeys()
  const [chosen, setOpening] = useDraft<Opening>('create-opening', firstOpening(), isOpening)
  const opening = hasChoice ? chosen : 'passphrase'
  const field = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])
  const byPasskey = opening !== 'passphrase'
  const byPassphrase = opening !== 'passkey'
  const ready = !byPassphrase || enough

  const create = useAction(async () => {
    await whenOpened(vault)
    const passkey = byPasskey ? await createPasskey({ name }) : undefined
    const passphrase = field.current?.value ?? ''
    try {
      const sealed = await sealProof(passkey ? { passkey } : { passphrase })
      const { address, recoveryCode = '' } = await vault.create({
        label: name,
        ...(byPassphrase && { passphrase }),
        ...(passkey && { passkey }),
        recoveryCode: true,
        ...(firstKey && { key: firstKey() }),
      })
      keepProof(vault, address, sealed)
      clearDraft('create-name')
      clearDraft('create-step')
      beginSetup(vault, { address, tab: firstKey ? 'restore' : 'create', recoveryCode })
    } catch (error) {
      if (passkey) await forgetPasskey(passkey)
      throw error
    } finally {
      passkey?.prf.fill(0)
    }
  })
  const submit = () => {
    if (ready) create.run()
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      {hasChoice ? (
        <RadioCards
          label={t`Unlock with`}
          value={opening}
          onValueChange={(next) => {
            setOpening(next)
            create.clear()
          }}
          options={openings()}
          disabled={create.pending}
        />
      ) : (
        <Notice title={t`Passkeys can’t unlock a vault in this browser.`}>
          <Trans>Choose a passphrase. It works on any device.</Trans>
        </Notice>
      )}
      {byPassphrase ? (
        <>
          <UsernameHint name={name} />
          <NewPassphrase
            inputRef={field}
            againRef={again}
            known={[name]}
            onEnough={onEnough}
            disabled={create.pending}
          />
        </>
      ) : null}
      <Failure error={create.error} />
      {create.pending ? <Progress label={pendingWords(opening)} value={null} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" type="submit" busy={create.pending} disabled={!ready}>
          <Trans>Create vault</Trans>
        </Button>
        <Button tone="bare" onClick={onBack} disabled={create.pending}>
          <Trans>Back</Trans>
        </Button>
      </div>
    </Form>
  )
}

function pendingWords(opening: Opening): string {
  return opening === 'passphrase'
    ? t`Creating your key and locking it with the passphrase…`
    : t`Creating the passkey on your device and locking your key with it…`
}
