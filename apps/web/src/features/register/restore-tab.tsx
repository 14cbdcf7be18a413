import { useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { ImportForm } from '../backup/import-form.tsx'
import { ForeignKeyFields } from '../key-import/foreign-key-fields.tsx'
import { useForeignKey } from '../key-import/use-foreign-key.ts'
import { CreateForm, type Made as MadeVault } from './create-form.tsx'
import { Made } from './made.tsx'
import { useMade } from './use-made.ts'

/** Brings an account back from a backup file, or makes one around a key from elsewhere. */
export function RestoreTab() {
  const { phase } = useVaultSnapshot()
  const [made, setMade] = useMade()
  if (phase === 'loading') return <Opening />
  if (phase === 'failed') return <NotLoaded />
  if (made !== undefined) return <Made made={made} />
  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Restore from a backup"
        description="All of the file is verified before any of it is written here."
      >
        <FromBackup />
      </Card>
      <Card
        title="Start from a key from elsewhere"
        description="A private key or a phrase of another program becomes the first key of a new vault."
      >
        <FromKey onMade={setMade} />
      </Card>
    </div>
  )
}

function FromBackup() {
  const { address } = useVaultSnapshot()
  const [restored, setRestored] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <ImportForm into="restore" onImported={() => setRestored(true)} />
      {restored && address ? (
        <Notice
          tone="good"
          title="Your vault is back, and open."
          actions={
            <Link to="/" className={buttonClass('quiet', 'small')}>
              Go to your vault
            </Link>
          }
        >
          <span className="break-all">{address}</span>
        </Notice>
      ) : null}
    </div>
  )
}

function FromKey({ onMade }: { onMade: (made: MadeVault) => void }) {
  const foreign = useForeignKey()
  return (
    <div className="flex flex-col gap-6">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          foreign.look()
        }}
      >
        <ForeignKeyFields foreign={foreign} disabled={false} />
      </form>
      {foreign.preview ? <CreateForm firstKey={foreign.key} onMade={onMade} /> : null}
    </div>
  )
}
