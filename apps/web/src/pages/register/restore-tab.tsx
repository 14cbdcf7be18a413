import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { ImportForm } from '../../features/account/recovery/import-form.tsx'
import { useSetup } from '../../features/account/setup.ts'
import { ForeignKeyFields } from '../../features/key-import/foreign-key-fields.tsx'
import { useForeignKey } from '../../features/key-import/use-foreign-key.ts'
import { useDropped } from '../../shared/backup-file/dropped.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { RadioCards } from '../../shared/ui/fields/radio-cards.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { NewVault } from './new-vault.tsx'
import type { Origin } from './search-params.ts'
import { Made } from './steps/made.tsx'

const JoinDevice = lazy(() =>
  import('../../features/devices/devices.ts').then((m) => ({ default: m.JoinDevice })),
)
const RecoverAccount = lazy(() =>
  import('../../features/devices/devices.ts').then((m) => ({ default: m.RecoverAccount })),
)

interface RestoreTabProps {
  from: Origin
  onFromChange: (from: Origin) => void
}

/** Brings an account back from a backup file, or makes one around a key from elsewhere. */
export function RestoreTab({ from, onFromChange }: RestoreTabProps) {
  const { t } = useLingui()
  const { phase, accounts } = useVaultSnapshot()
  const [restored, setRestored] = useState<{ how: RestoredHow; lostKeys: number }>()
  const [arrivedBy, setArrivedBy] = useState<Origin>()
  const hasArrived = arrivedBy === from
  const setup = useSetup()
  useDropped(() => {
    setRestored(undefined)
    setArrivedBy(undefined)
    if (from !== 'file') onFromChange('file')
  })
  if (isOpening(phase)) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  const isStored = accounts.some(({ address }) => address === setup?.address)
  if (setup?.tab === 'restore' && isStored) return <Made setup={setup} />
  if (restored) return <Restored {...restored} />
  return (
    <div className="flex flex-col gap-6">
      {hasArrived ? null : (
        <RadioCards
          label={t`What do you have?`}
          value={from}
          onValueChange={onFromChange}
          options={[
            {
              value: 'file',
              label: t`A backup file`,
              note: t`Ends in .keyhole.json or .keyhole-copy.`,
            },
            {
              value: 'code',
              label: t`A recovery code`,
              note: t`Printed, written down or in a password manager.`,
            },
            { value: 'key', label: t`A key you already have`, note: t`PKCS#8, a JWK, or a seed phrase.` },
            {
              value: 'device',
              label: t`Another device`,
              note: t`One that already has your vault.`,
            },
          ]}
        />
      )}
      {/* Hidden, not taken away: what was chosen or typed in one is there when one comes back to it. */}
      <div hidden={from !== 'file'}>
        <Card
          title={t`Restore from a backup`}
          description={t`Keyhole checks the whole file before it saves any of it.`}
        >
          <ImportForm into="restore" onImported={(how, lostKeys) => setRestored({ how, lostKeys })} />
        </Card>
      </div>
      {from === 'device' ? (
        <Suspense fallback={<Opening />}>
          <JoinDevice isDone={hasArrived} onDone={() => setArrivedBy('device')} />
        </Suspense>
      ) : null}
      {from === 'code' ? (
        <>
          <Suspense fallback={<Opening />}>
            <RecoverAccount isDone={hasArrived} onDone={() => setArrivedBy('code')} />
          </Suspense>
          {hasArrived ? null : <ByCode onFile={() => onFromChange('file')} />}
        </>
      ) : null}
      <div hidden={from !== 'key'}>
        <Card
          title={t`Start with a key you already have`}
          description={t`A private key or seed phrase from another app becomes the first key of a new vault.`}
        >
          <FromKey />
        </Card>
      </div>
    </div>
  )
}

/** What else a recovery code opens: it holds no copy of anything. */
function ByCode({ onFile }: { onFile: () => void }) {
  const { t } = useLingui()
  const { accounts } = useVaultSnapshot()
  const here = accounts.length > 0
  return (
    <Card
      title={t`With a backup file, or in this browser`}
      description={t`The code opens a backup file without its passphrase, or a vault still in this browser. The code doesn’t contain any keys.`}
    >
      <div className="flex flex-wrap gap-2">
        <Button onClick={onFile}>
          <Trans>I have a backup file too</Trans>
        </Button>
        {here ? (
          <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass()}>
            <Trans>The vault is in this browser</Trans>
          </Link>
        ) : null}
      </div>
      <p className="mt-4 text-ink-soft text-sm">
        {here ? (
          <Trans>
            There, press Unlock and then “Use the recovery code instead”. If you restore from a file, you find
            the same button below its passphrase.
          </Trans>
        ) : (
          <Trans>There’s no vault in this browser. Choose the backup file first, then type the code.</Trans>
        )}
      </p>
    </Card>
  )
}

type RestoredHow = 'restored' | 'merged' | 'copied' | 'reset'

function Restored({ how, lostKeys }: { how: RestoredHow; lostKeys: number }) {
  const { t } = useLingui()
  const { address, label } = useVaultSnapshot()
  const start = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  useEffect(() => start.current?.focus(), [])
  return (
    <div ref={start} tabIndex={-1} className="rounded-card outline-none">
      <Card title={label ?? t`Restored`}>
        <div className="flex flex-col items-start gap-4">
          <Notice
            tone="good"
            title={how === 'copied' ? t`Your vault is back, and locked.` : t`Your vault is back, and open.`}
            className="self-stretch"
          >
            <Trans>All of it is here: keys, tokens, names and activity.</Trans>
            {how === 'copied' ? (
              <p>
                <Trans>Unlock it the way you did when the copy was saved.</Trans>
              </p>
            ) : null}
            {how === 'restored' || how === 'reset' ? (
              <p>
                <Trans>
                  For now, only the passphrase you just chose opens it. Under Settings, Unlocking, you can add
                  passkeys and a new recovery code.
                </Trans>
              </p>
            ) : null}
          </Notice>
          {lostKeys > 0 ? (
            <Notice tone="warn" className="self-stretch">
              <Plural
                value={lostKeys}
                one="One key was made after the file was created, and isn’t in it. A later backup may have it."
                other="# keys were made after the file was created, and aren’t in it. A later backup may have them."
              />
            </Notice>
          ) : null}
          {address ? <DidText text={address} what={t`your address`} /> : null}
          <Link to="/" className={buttonClass('primary')}>
            <Trans>Go to your vault</Trans>
          </Link>
        </div>
      </Card>
    </div>
  )
}

function FromKey() {
  const foreign = useForeignKey()
  return (
    <div className="flex flex-col gap-6">
      <Form onSubmit={foreign.look}>
        <ForeignKeyFields foreign={foreign} disabled={false} />
      </Form>
      {foreign.preview ? <NewVault firstKey={foreign.key} level={3} /> : null}
    </div>
  )
}
