import type { PaymentRecord } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { useMandateNames } from '../../../shared/tokens/use-mandate-names.ts'
import { Choice, type Option } from '../../../shared/ui/fields/choice.tsx'
import { TextField } from '../../../shared/ui/fields/text-field.tsx'
import { payeeName } from '../../../shared/words/payment.ts'
import { shorten } from '../../../shared/words/who.ts'
import { valuesOf } from './history.ts'
import type { HistoryFilter } from './search-params.ts'

interface HistoryFiltersProps {
  payments: readonly PaymentRecord[]
  filter: HistoryFilter
  onChange: (filter: HistoryFilter) => void
}

/** By payee, currency, receipt, mandate and days. Only what the history has, or a link asks for, is offered. */
export function HistoryFilters({ payments, filter, onChange }: HistoryFiltersProps) {
  const { t } = useLingui()
  const names = useMandateNames()
  const put = (next: Partial<HistoryFilter>) => onChange({ ...filter, ...next })
  const any = { value: 'any', label: t`Any` } as const
  const offered = (
    values: readonly string[],
    chosen: string | undefined,
    label: (value: string) => string,
  ) => {
    const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen]
    return [any, ...all.map((value): Option<string> => ({ value, label: label(value) }))]
  }
  const contacts = useContacts()
  const chosen = (value: string) => (value === 'any' ? undefined : value)
  const mandates = [...new Set(payments.flatMap(({ mandate }) => (mandate === undefined ? [] : [mandate])))]
  const underName = (under: string) =>
    under === 'hand' ? t`None, by hand` : (names.get(under) ?? shorten(under))
  return (
    <search className="grid scant:grid-cols-1 grid-cols-2 items-start gap-3 lg:grid-cols-[2fr_1fr_1.5fr_2fr_10rem_10rem]">
      <Choice
        label={t`Payee`}
        value={filter.payee ?? 'any'}
        options={offered(valuesOf(payments, 'payee'), filter.payee, (payee) => payeeName(payee, contacts))}
        onValueChange={(payee) => put({ payee: chosen(payee) })}
      />
      <Choice
        label={t`Currency`}
        value={filter.currency ?? 'any'}
        options={offered(valuesOf(payments, 'currency'), filter.currency, (code) => code)}
        onValueChange={(currency) => put({ currency: chosen(currency) })}
      />
      <Choice<'any' | 'ok' | 'error' | 'none'>
        label={t`Receipt`}
        value={filter.receipt ?? 'any'}
        options={[
          any,
          { value: 'ok', label: t`Paid` },
          { value: 'error', label: t`Failed` },
          { value: 'none', label: t`None` },
        ]}
        onValueChange={(receipt) => put({ receipt: receipt === 'any' ? undefined : receipt })}
      />
      <Choice
        label={t`Mandate`}
        value={filter.under ?? 'any'}
        options={offered(['hand', ...mandates], filter.under, underName)}
        onValueChange={(under) => put({ under: chosen(under) })}
      />
      <TextField
        label={t`From`}
        type="date"
        value={filter.from ?? ''}
        onValueChange={(from) => put({ from: from || undefined })}
      />
      <TextField
        label={t`Until`}
        type="date"
        value={filter.to ?? ''}
        onValueChange={(to) => put({ to: to || undefined })}
      />
    </search>
  )
}
