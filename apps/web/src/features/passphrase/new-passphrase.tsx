import { type RefObject, useEffect, useRef, useState } from 'react'
import { cx } from '../../components/cx.ts'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { judge, lengthProblem, loadEstimator, type Strength } from './strength.ts'

const WORDS = ['Very weak', 'Weak', 'Not enough yet', 'Strong', 'Very strong'] as const

interface NewPassphraseProps {
  inputRef: RefObject<HTMLInputElement | null>
  againRef: RefObject<HTMLInputElement | null>
  /** Words an attacker would try first. */
  known: readonly string[]
  /** Told whenever it becomes usable or stops being so. */
  onEnough: (enough: boolean) => void
  label?: string
  hint?: string
  error?: string | undefined
  disabled?: boolean
}

/** A passphrase being chosen, typed twice, with its strength and the reasons while it is typed. */
export function NewPassphrase({
  inputRef,
  againRef,
  known,
  onEnough,
  label = 'Passphrase',
  hint = 'Four or more words that do not belong together work well. Keyhole cannot reset it.',
  error,
  disabled = false,
}: NewPassphraseProps) {
  const [strength, setStrength] = useState<Strength>()
  const [trouble, setTrouble] = useState<string>()
  const [differs, setDiffers] = useState(false)
  const [repeated, setRepeated] = useState(false)
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
        setTrouble(undefined)
        setStrength(judge(estimator, passphrase, knownText.split('\n')))
      },
      () => {
        // Without the dictionaries strength cannot be told, so the passphrase is not taken.
        if (turn.current === mine)
          setTrouble('The word lists that judge a passphrase did not load. Check the connection and type on.')
      },
    )
  }

  useEffect(() => onEnough((strength?.enough ?? false) && repeated), [onEnough, strength, repeated])

  // The name is one of the words an attacker tries first, so a new name means a new judgement.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the known words matters here
  useEffect(() => weigh(inputRef.current?.value ?? ''), [knownText])

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <PassphraseField
          label={label}
          hint={hint}
          error={error}
          inputRef={inputRef}
          autoComplete="new-password"
          onValueChange={weigh}
          disabled={disabled}
        />
        <Meter strength={strength} trouble={trouble} />
      </div>
      <PassphraseField
        label="The same again"
        inputRef={againRef}
        autoComplete="new-password"
        onValueChange={compare}
        error={differs ? 'The two are not the same yet.' : undefined}
        disabled={disabled}
      />
    </div>
  )
}

function Meter({ strength, trouble }: { strength: Strength | undefined; trouble: string | undefined }) {
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
        {trouble ? <p className="text-bad">{trouble}</p> : null}
        {strength && !trouble ? (
          <p className={enough ? 'text-good' : 'text-warn'}>
            <strong className="font-semibold">
              {enough ? WORDS[strength.score] : WORDS[Math.min(strength.score, 2)]}.
            </strong>{' '}
            {strength.reasons.join(' ')}
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** What is wrong with a pair of fields at the moment it is sent, or undefined. */
export function pairProblem(first: string, second: string): string | undefined {
  const length = lengthProblem(first)
  if (length) return length
  return first === second ? undefined : 'The two are not the same.'
}
