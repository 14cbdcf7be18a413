import { loadEstimator } from '@keyhole/vault/passphrase-estimate'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { cx } from '../ui/cx.ts'
import { PassphraseField } from '../ui/fields/passphrase-field.tsx'
import { judge, type Strength } from './strength.ts'
import { suggestPassphrase } from './suggest.ts'

/** By the estimator's score. Short, but strong for its length, is still not enough. */
const WORDS = [msg`Very weak.`, msg`Weak.`, msg`Not enough yet.`, msg`Strong.`, msg`Very strong.`] as const

interface NewPassphraseProps {
  inputRef: RefObject<HTMLInputElement | null>
  againRef: RefObject<HTMLInputElement | null>
  /** Words an attacker would try first. */
  known: readonly string[]
  /** Called when it becomes good enough or stops being so. */
  onEnough: (enough: boolean) => void
  label?: string
  hint?: string
  error?: string | undefined
  disabled?: boolean
}

/** Choosing a passphrase: typed twice, with its strength and the reasons as you type. */
export function NewPassphrase({
  inputRef,
  againRef,
  known,
  onEnough,
  label,
  hint,
  error,
  disabled = false,
}: NewPassphraseProps) {
  const { t } = useLingui()
  const [strength, setStrength] = useState<Strength>()
  const [failed, setFailed] = useState(false)
  const [differs, setDiffers] = useState(false)
  const [repeated, setRepeated] = useState(false)
  const [suggested, setSuggested] = useState(false)
  const turn = useRef(0)
  const knownText = known.join('\n')

  const compare = () => {
    const first = inputRef.current?.value ?? ''
    const second = againRef.current?.value ?? ''
    setDiffers(second !== '' && !first.startsWith(second) && first !== second)
    setRepeated(first !== '' && first === second)
  }

  const weigh = (passphrase: string) => {
    turn.current += 1
    const mine = turn.current
    compare()
    if (passphrase === '') {
      setStrength(undefined)
      return
    }
    loadEstimator().then(
      (estimator) => {
        if (turn.current !== mine) return
        setFailed(false)
        setStrength(judge(estimator, passphrase, knownText.split('\n')))
      },
      () => {
        // Without the dictionaries the strength is unknown, so the passphrase isn't accepted.
        if (turn.current === mine) setFailed(true)
      },
    )
  }

  const suggest = async () => {
    const passphrase = await suggestPassphrase()
    setSuggested(true)
    for (const { current } of [inputRef, againRef]) if (current) current.value = passphrase
    inputRef.current?.focus()
    weigh(passphrase)
  }

  useEffect(() => onEnough((strength?.enough ?? false) && repeated), [onEnough, strength, repeated])

  // The name is one of the words an attacker tries first, so a new name means a new judgement.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the known words matters here
  useEffect(() => weigh(inputRef.current?.value ?? ''), [knownText])

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <PassphraseField
          label={label ?? t`Passphrase`}
          hint={hint ?? t`Four or more unrelated words work well. Keyhole can’t reset it.`}
          what={t`passphrase`}
          error={error}
          inputRef={inputRef}
          autoComplete="new-password"
          onValueChange={weigh}
          disabled={disabled}
          shows={suggested}
        />
        <Meter strength={strength} failed={failed} />
        <TextButton disabled={disabled} onClick={() => void suggest()}>
          {suggested ? <Trans>Suggest another</Trans> : <Trans>Suggest a passphrase</Trans>}
        </TextButton>
        <p role="status" className={suggested ? 'text-ink-soft text-sm' : 'sr-only'}>
          {suggested ? <Trans>Save it in a password manager or write it down before you go on.</Trans> : null}
        </p>
      </div>
      <PassphraseField
        label={t`Confirm passphrase`}
        what={t`passphrase`}
        inputRef={againRef}
        autoComplete="new-password"
        onValueChange={compare}
        error={differs ? t`The two don’t match yet.` : undefined}
        disabled={disabled}
      />
    </div>
  )
}

function Meter({ strength, failed }: { strength: Strength | undefined; failed: boolean }) {
  const { t, i18n } = useLingui()
  const score = strength?.score ?? -1
  const enough = strength?.enough ?? false
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <div className="grid grid-cols-4 gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cx(
              'h-1.5 rounded-full transition-colors',
              score >= step ? (enough ? 'bg-good' : 'bg-warn') : 'bg-line',
            )}
          />
        ))}
      </div>
      <div aria-live="polite" className="min-h-5">
        {failed ? (
          <p className="text-bad">
            {t`The word lists that judge a passphrase did not load. Check the connection and keep typing.`}
          </p>
        ) : strength ? (
          <p className={enough ? 'text-good' : 'text-warn'}>
            <strong className="font-semibold">
              {i18n._(WORDS[Math.min(strength.score, enough ? 4 : 2)] ?? WORDS[0])}
            </strong>{' '}
            {strength.reasons.join(' ')}
          </p>
        ) : null}
      </div>
    </div>
  )
}
