import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Lock } from 'lucide-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { Gate } from '../account/gate.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'

/** How the vault opens and closes: lock it now, change its passphrase. */
export function UnlockTab() {
  return (
    <Gate need="unlocked" purpose="change how it unlocks">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ChangePassphrase />
        <LockNow />
      </div>
    </Gate>
  )
}

function LockNow() {
  const vault = useVault()
  const lock = useAction(async () => {
    await vault.lock()
    announce('Locked', 'In every tab of this browser.')
  })
  return (
    <Card
      title="Lock now"
      description="Wipes the keys from memory, in every tab. Closing or reloading the last tab does the same."
    >
      <div className="flex flex-col gap-4">
        <Failure error={lock.error} />
        <Button
          onClick={() => lock.run()}
          busy={lock.pending}
          icon={<Lock className="size-4" aria-hidden />}
          className="self-start"
        >
          Lock the vault
        </Button>
      </div>
    </Card>
  )
}

function ChangePassphrase() {
  const vault = useVault()
  const { label, address } = useVaultSnapshot()
  const current = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [done, setDone] = useState(false)
  // A new key empties every field after it was done.
  const [round, setRound] = useState(0)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const change = useAction(async () => {
    setDone(false)
    await vault.changePassphrase(current.current?.value ?? '', next.current?.value ?? '')
    setRound(round + 1)
    setDone(true)
    announce('Passphrase changed')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough) change.run()
  }
  return (
    <Card
      title="Change the passphrase"
      description="The key that seals your keys is replaced as well, so an old copy of the vault stays behind the old passphrase only."
    >
      <form key={round} onSubmit={submit} className="flex flex-col gap-4">
        <UsernameHint name={label} />
        <PassphraseField
          label="Passphrase now"
          inputRef={current}
          autoComplete="current-password"
          disabled={change.pending}
          onValueChange={() => {
            setDone(false)
            change.clear()
          }}
        />
        <NewPassphrase
          label="New passphrase"
          inputRef={next}
          againRef={again}
          known={[label ?? '', address ?? '']}
          onEnough={onEnough}
          disabled={change.pending}
        />
        <Failure error={change.error} />
        {change.pending ? (
          <Progress label="Deriving both keys and sealing everything again…" value={null} />
        ) : null}
        {done ? (
          <Notice tone="good" title="The passphrase is changed.">
            Backups keep their own passphrase. Make a new one soon: it holds the keys of today.
          </Notice>
        ) : null}
        <Button tone="primary" type="submit" busy={change.pending} disabled={!enough} className="self-start">
          Change it
        </Button>
      </form>
    </Card>
  )
}
