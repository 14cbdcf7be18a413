import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { TextField } from '../../components/text-field.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { ExportForm } from '../backup/export-form.tsx'
import { useTextDraft } from '../common/drafts.ts'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'

/** Makes a vault: a name, a passphrase, and then a backup. */
export function CreateTab() {
  const { phase } = useVaultSnapshot()
  const [made, setMade] = useState<string>()
  if (phase === 'loading') return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return made === undefined ? <CreateForm onMade={setMade} /> : <Made address={made} />
}

function CreateForm({ onMade }: { onMade: (address: string) => void }) {
  const vault = useVault()
  const { phase, accounts } = useVaultSnapshot()
  const [name, setName] = useTextDraft('create-name')
  const [problem, setProblem] = useState<string>()
  const passphrase = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const create = useAction(async () => {
    const label = name.trim()
    if (label === '') {
      setProblem('Give it a name that tells you which one it is.')
      return
    }
    const account = await vault.create({ label, passphrase: passphrase.current?.value ?? '' })
    setName('')
    onMade(account.address)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough) create.run()
  }
  return (
    <Card
      title="Create a vault"
      description="In under a minute. Your keys are made here and sealed behind your passphrase."
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {phase === 'unlocked' || phase === 'locked' ? (
          <Notice>
            There {accounts.length === 1 ? 'is a vault' : `are ${accounts.length} vaults`} in this browser
            already. A new one stands beside {accounts.length === 1 ? 'it' : 'them'}; the open one is locked.
          </Notice>
        ) : null}
        <TextField
          label="Name"
          hint="For you alone, so that you know it when you see it."
          placeholder="Personal"
          autoComplete="username"
          maxLength={80}
          value={name}
          onValueChange={(next) => {
            setProblem(undefined)
            setName(next)
          }}
          error={problem}
          disabled={create.pending}
        />
        <NewPassphrase
          inputRef={passphrase}
          againRef={again}
          known={[name]}
          onEnough={onEnough}
          disabled={create.pending}
        />
        <Failure error={create.error} />
        {create.pending ? (
          <Progress label="Making your key and sealing it behind the passphrase…" value={null} />
        ) : null}
        <Button tone="primary" type="submit" busy={create.pending} disabled={!enough} className="self-start">
          Create the vault
        </Button>
      </form>
    </Card>
  )
}

function Made({ address }: { address: string }) {
  const { issuerDid } = useVaultSnapshot()
  const [later, setLater] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <Card title="Your vault is ready">
        <div className="flex flex-col gap-4">
          <Notice tone="good" title="It is open now, in every tab of this browser.">
            Reload the page or press Lock, and only the passphrase opens it again.
          </Notice>
          <div>
            <p className="text-ink-faint text-sm">Its address</p>
            <DidText text={address} what="your address" />
          </div>
          {issuerDid ? (
            <div>
              <p className="text-ink-faint text-sm">Your DID: what others grant things to</p>
              <DidText text={issuerDid} what="your DID" />
            </div>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              Grant something
            </Link>
            <Link to="/" className={buttonClass()}>
              Go to your vault
            </Link>
          </div>
        </div>
      </Card>
      {later ? null : (
        <Card
          title="Make a backup now"
          description="This browser has the only copy. One encrypted file brings it back if the device is lost or the browser is cleared."
          actions={
            <Button tone="bare" size="small" onClick={() => setLater(true)}>
              Later
            </Button>
          }
        >
          <ExportForm />
        </Card>
      )}
    </div>
  )
}
