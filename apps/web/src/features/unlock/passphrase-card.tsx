import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { useCountdown } from '../common/use-countdown.ts'
import { NewPassphrase } from '../passphrase/new-passphrase.tsx'
import { type ProofKind, UNLOCKING } from '../proof/kinds.ts'
import { ProofFields } from '../proof/proof-fields.tsx'
import { isAboutProof, proofProblem, waitUntil } from '../proof/proof-words.ts'
import { useMethods } from '../proof/use-methods.ts'
import { useProof } from '../proof/use-proof.ts'
import { Waiting } from '../proof/waiting.tsx'

/** The passphrase now is what people expect to be asked for; whoever lost it has the others. */
const ASKED: readonly ProofKind[] = ['passphrase', ...UNLOCKING.filter((kind) => kind !== 'passphrase')]

/** Changes the passphrase, or adds one to an account that has none. */
export function PassphraseCard() {
  const { methods } = useMethods()
  // A new key empties every field after it was done.
  const [done, setDone] = useState<{ round: number; words?: string }>({ round: 0 })
  const has = methods?.some(({ kind }) => kind === 'passphrase') ?? true
  return (
    <Card
      title={has ? 'Change the passphrase' : 'Add a passphrase'}
      description={
        has
          ? 'The key that seals your keys is replaced as well, so an old copy of the vault stays behind the old passphrase only. Passkeys and the recovery code go on working.'
          : 'One more way to open the vault, on any device and in any browser.'
      }
    >
      <PassphraseForm
        key={done.round}
        has={has}
        said={done.words}
        onDone={() =>
          setDone({
            round: done.round + 1,
            words: has ? 'The passphrase is changed.' : 'The passphrase is added.',
          })
        }
        onTyping={() => done.words !== undefined && setDone({ round: done.round })}
      />
    </Card>
  )
}

interface PassphraseFormProps {
  has: boolean
  said: string | undefined
  onDone: () => void
  onTyping: () => void
}

function PassphraseForm({ has, said, onDone, onTyping }: PassphraseFormProps) {
  const vault = useVault()
  const { label, address } = useVaultSnapshot()
  const proof = useProof(ASKED)
  const next = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const [retryAt, setRetryAt] = useState<number>()
  const wait = useCountdown(retryAt)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const change = useAction(async () => {
    try {
      await vault.setPassphrase(await proof.take(), next.current?.value ?? '')
    } catch (error) {
      setRetryAt(waitUntil(error))
      throw error
    }
    announce(has ? 'Passphrase changed' : 'Passphrase added')
    onDone()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enough && wait === 0) change.run()
  }
  const about = isAboutProof(change.error)
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={label} />
      <ProofFields
        proof={proof}
        label="Passphrase now"
        disabled={change.pending}
        error={about ? proofProblem(change.error, proof.kind) : undefined}
        onChange={() => {
          onTyping()
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
      <Waiting seconds={wait} />
      {about ? null : <Failure error={change.error} />}
      {change.pending ? (
        <Progress label="Deriving the keys and sealing everything again…" value={null} />
      ) : null}
      {said ? (
        <Notice tone="good" title={said}>
          Backups keep their own passphrase. Make a new one soon: it holds the keys of today.
        </Notice>
      ) : null}
      <Button
        tone="primary"
        type="submit"
        busy={change.pending}
        disabled={!enough || wait > 0}
        className="self-start"
      >
        {has ? 'Change it' : 'Add it'}
      </Button>
    </form>
  )
}
