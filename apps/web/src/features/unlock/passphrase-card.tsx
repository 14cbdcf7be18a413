import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useRef, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { NewPassphrase } from '../../shared/passphrase/new-passphrase.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { UsernameHint } from '../../shared/ui/fields/username-hint.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { UnlockProofFields } from '../../shared/unlock-proof/unlock-proof-fields.tsx'
import { useMethods } from '../../shared/unlock-proof/use-methods.ts'
import { useProven } from '../../shared/unlock-proof/use-proven.ts'
import { useUnlockProof } from '../../shared/unlock-proof/use-unlock-proof.ts'
import { Waiting } from '../../shared/unlock-proof/waiting.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { UNLOCKING, type UnlockKind } from '../../shared/words/unlock-kinds.ts'

/** The passphrase now is what people expect to be asked for; whoever lost it has the others. */
const ASKED: readonly UnlockKind[] = ['passphrase', ...UNLOCKING.filter((kind) => kind !== 'passphrase')]

/** Changes the passphrase, or adds one to an account that has none. */
export function PassphraseCard() {
  const { t } = useLingui()
  const { methods } = useMethods()
  // A new key empties every field after it was done.
  const [done, setDone] = useState<{ round: number; words?: string }>({ round: 0 })
  const has = methods?.some(({ kind }) => kind === 'passphrase') ?? true
  const finish = () =>
    setDone({
      round: done.round + 1,
      words: has ? t`The passphrase is changed.` : t`The passphrase is added.`,
    })
  return (
    <Card
      title={has ? t`Change the passphrase` : t`Add a passphrase`}
      description={
        has
          ? t`Your keys are encrypted again. The old passphrase still opens old copies. Passkeys and the recovery code still work.`
          : t`One more way to open the vault, on any device and in any browser.`
      }
    >
      <div className="flex flex-col gap-4">
        <PassphraseForm
          key={done.round}
          has={has}
          onDone={finish}
          onTyping={() => done.words !== undefined && setDone({ round: done.round })}
        />
        {done.words ? (
          <Notice tone="good" title={done.words}>
            <Trans>
              Backup files keep their own passphrase. Create a new one soon, so it has today’s keys.
            </Trans>
          </Notice>
        ) : null}
      </div>
    </Card>
  )
}

interface PassphraseFormProps {
  has: boolean
  onDone: () => void
  onTyping: () => void
}

function PassphraseForm({ has, onDone, onTyping }: PassphraseFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { label, address } = snapshot
  const proof = useUnlockProof(ASKED)
  const next = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])

  const change = useProven(proof, async (given) => {
    await vault.unlockMethods.setPassphrase(given, next.current?.value ?? '')
    announce(has ? t`Passphrase changed` : t`Passphrase added`)
    onDone()
  })
  const submit = () => {
    if (enough) change.run()
  }
  return (
    <Form onSubmit={submit}>
      <UsernameHint name={label} />
      <UnlockProofFields
        proof={proof}
        label={t`Current passphrase`}
        disabled={change.pending}
        error={change.problem}
        onChange={() => {
          onTyping()
          change.clear()
        }}
      />
      <NewPassphrase
        label={t`New passphrase`}
        inputRef={next}
        againRef={again}
        known={[label ?? '', address ?? '']}
        onEnough={onEnough}
        disabled={change.pending}
      />
      <Waiting seconds={change.wait} />
      <FormEnd
        action={{ pending: change.pending, error: change.failure }}
        disabled={!enough || change.wait > 0}
        why={whyFixed(snapshot)}
        progress={
          change.pending ? (
            <Slow>
              <Progress label={t`Encrypting your vault again…`} value={null} />
            </Slow>
          ) : null
        }
      >
        {has ? <Trans>Change passphrase</Trans> : <Trans>Add passphrase</Trans>}
      </FormEnd>
    </Form>
  )
}
