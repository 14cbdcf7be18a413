import type { ForeignKey } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useState } from 'react'
import { keepTextDraft, useDraft, useTextDraft } from '../../shared/hooks/drafts.ts'
import { takeFocus } from '../../shared/hooks/take-focus.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { SetupSteps } from './steps/setup-steps.tsx'
import { UnlockStep } from './steps/unlock-step.tsx'

interface NewVaultProps {
  /** Reads a key from elsewhere to be the vault's first. Without it a new one is made. */
  firstKey?: () => ForeignKey
  /** Heading level of the steps. */
  level?: 2 | 3
}

/** The draft of its name. */
const NAME = 'create-name'

type Step = 'name' | 'unlock'
const isStep = (value: unknown): value is Step => value === 'name' || value === 'unlock'

/** The first two steps of a new vault: its name, then how it is unlocked. Leaving the page keeps the name and the choice, never a passphrase. */
export function NewVault({ firstKey, level = 2 }: NewVaultProps) {
  const { t } = useLingui()
  const { accounts } = useVaultSnapshot()
  const count = accounts.length + 1
  const [name, setName] = useTextDraft(NAME, count === 1 ? t`Personal` : t`Vault ${count}`)
  const [step, setStep] = useDraft<Step>('create-step', 'name', isStep)
  const place = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  // The button that was pressed is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useLayoutEffect(() => {
    if (hasMoved.current) takeFocus(place.current)
  }, [step])
  const go = (next: Step) => {
    hasMoved.current = true
    setStep(next)
  }
  return (
    <div className="flex flex-col gap-6">
      <SetupSteps at={step} />
      <div ref={place} tabIndex={-1} className="rounded-card outline-none">
        {step === 'name' ? (
          <Card title={t`Name your vault`} level={level}>
            <NameStep
              name={name}
              onName={setName}
              // Another language, or another vault, no longer changes it under the cursor.
              onEdit={() => keepTextDraft(NAME, name)}
              onNext={() => go('unlock')}
            />
          </Card>
        ) : (
          <Card title={t`How you’ll unlock it`} level={level}>
            <UnlockStep name={name.trim()} onBack={() => go('name')} {...(firstKey && { firstKey })} />
          </Card>
        )}
      </div>
    </div>
  )
}

interface NameStepProps {
  name: string
  onName: (name: string) => void
  /** Called when the field gets the focus. */
  onEdit: () => void
  onNext: () => void
}

function NameStep({ name, onName, onEdit, onNext }: NameStepProps) {
  const { t } = useLingui()
  const { phase, accounts } = useVaultSnapshot()
  const [problem, setProblem] = useState<string>()
  const submit = () => {
    if (name.trim() === '') setProblem(t`Enter a name.`)
    else onNext()
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      {phase === 'unlocked' || phase === 'locked' ? (
        <Notice>
          <Plural
            value={accounts.length}
            one="This browser already has a vault. It stays, and is locked when you create another."
            other="This browser already has # vaults. They stay, and the open one is locked when you create another."
          />
        </Notice>
      ) : null}
      <TextField
        label={t`Name`}
        hint={t`You’ll see it when you unlock. If you use a passkey, it is saved under this name too.`}
        maxLength={80}
        value={name}
        onFocus={onEdit}
        onValueChange={(next) => {
          setProblem(undefined)
          onName(next)
        }}
        error={problem}
      />
      <Button tone="primary" type="submit" className="self-start">
        <Trans>Continue</Trans>
      </Button>
    </Form>
  )
}
