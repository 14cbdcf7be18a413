import type { ToolField } from '@keyhole/vault/services'
import { Trans, useLingui } from '@lingui/react/macro'
import { quotable, visible } from '../../shared/text/visible.ts'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Foreign, ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { type FieldLimit, limitProblem, type Rule, rulesOf, ruleWords } from './field-limit.ts'
import { oneLine } from './one-line.ts'

interface FieldLimitInputProps {
  field: ToolField
  limit: FieldLimit
  onLimitChange: (limit: FieldLimit) => void
  /** What no limit is called, where another policy applies too. Default: anything is allowed. */
  open?: string
  /** Whether another policy sets it to one value, which this limit can replace. */
  isFixed?: boolean
  /** Whether what is unfinished is told of. */
  strict: boolean
}

/** The limit of one argument, by what the service says it is. */
export function FieldLimitInput({
  field,
  limit,
  onLimitChange,
  open,
  isFixed = false,
  strict,
}: FieldLimitInputProps) {
  const { t } = useLingui()
  const { names, kind, description, choices = [], least, most, required } = field
  const name = quotable(names.join(' › '))
  const found = limitProblem(field, limit)
  const problem = strict || limit.value !== '' || limit.most !== '' ? found : undefined
  const change = (changes: Partial<FieldLimit>) => onLimitChange({ ...limit, ...changes })
  const rules: readonly Rule[] = isFixed
    ? ['any', ...rulesOf(kind).filter((rule) => rule !== 'any'), 'free']
    : rulesOf(kind)
  const wordsOf = (rule: Rule) =>
    rule === 'any' && open !== undefined && rules.length > 1 ? open : ruleWords(rule, kind)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-label={t`Limit of “${name}”`}>
      <p className="font-medium text-sm">
        <Foreign>{visible(names.join(' › '))}</Foreign>
      </p>
      {description === undefined ? null : (
        <div className="text-ink-faint text-sm">
          <ForeignQuote>{quotable(oneLine(description))}</ForeignQuote>
        </div>
      )}
      {rules.length === 1 ? (
        <p className="text-ink-faint text-sm">{ruleWords('any', kind)}</p>
      ) : (
        <Choice
          label={t`What “${name}” may be`}
          labelHidden
          options={rules.map((rule) => ({ value: rule, label: wordsOf(rule) }))}
          value={limit.rule}
          onValueChange={(rule) => change({ rule })}
        />
      )}
      {limit.rule === 'is' || limit.rule === 'under' || limit.rule === 'starts' ? (
        <TextField
          label={limit.rule === 'under' ? t`Folder of “${name}”` : t`Value of “${name}”`}
          labelHidden
          mono
          placeholder={limit.rule === 'under' ? '/home/me/notes' : ''}
          value={limit.value}
          onValueChange={(value) => change({ value })}
          error={problem}
        />
      ) : null}
      {limit.rule === 'between' ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <TextField
            label={t`At least`}
            inputMode="decimal"
            placeholder={least === undefined ? '' : String(least)}
            value={limit.value}
            onValueChange={(value) => change({ value })}
            error={problem}
          />
          <TextField
            label={t`At most`}
            inputMode="decimal"
            placeholder={most === undefined ? '' : String(most)}
            value={limit.most}
            onValueChange={(next) => change({ most: next })}
          />
        </div>
      ) : null}
      {limit.rule === 'some' ? (
        <>
          {choices.map((choice, at) => (
            <CheckBox
              // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a field don't change, and their places are what is kept
              key={at}
              label={<Foreign>{quotable(oneLine(String(choice)))}</Foreign>}
              checked={limit.chosen.includes(at)}
              onCheckedChange={(isChosen) =>
                change({
                  chosen: choices.flatMap((_, each) =>
                    (each === at ? isChosen : limit.chosen.includes(each)) ? [each] : [],
                  ),
                })
              }
            />
          ))}
          {strict && found !== undefined ? <p className="text-bad text-sm">{found}</p> : null}
        </>
      ) : null}
      {!required && limit.rule !== 'any' ? (
        <p className="text-ink-faint text-sm">
          <Trans>The tool doesn’t need it. With this limit, a call that leaves it out is refused.</Trans>
        </p>
      ) : null}
    </fieldset>
  )
}
