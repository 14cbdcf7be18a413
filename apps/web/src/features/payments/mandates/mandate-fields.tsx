import { Trans, useLingui } from '@lingui/react/macro'
import { Term } from '../../../shared/glossary/term.tsx'
import { AudienceField } from '../../../shared/grant-form/audience-field.tsx'
import { expiryOptions } from '../../../shared/grant-form/expiry.ts'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import { RadioCards } from '../../../shared/ui/fields/radio-cards.tsx'
import { TextField } from '../../../shared/ui/fields/text-field.tsx'
import { exampleAmounts, isCounted, type MandateDraft, type ReadMandate } from './mandate.ts'

interface MandateFieldsProps {
  draft: MandateDraft
  onDraftChange: (draft: MandateDraft) => void
  read: ReadMandate
  /** Whether empty fields are told of as well: once the person has tried to sign. */
  strict: boolean
}

/** The questions of a mandate: who pays, whom, how much at a time, how much in all, from when until when. */
export function MandateFields({ draft, onDraftChange, read, strict }: MandateFieldsProps) {
  const { t } = useLingui()
  const { problems } = read
  const example = exampleAmounts(read.currency)
  const put = (next: Partial<MandateDraft>) => onDraftChange({ ...draft, ...next })
  const shown = (value: string, problem: string | undefined) =>
    strict || value.trim() !== '' ? problem : undefined
  return (
    <>
      <RadioCards
        label={t`Who pays with it`}
        value={draft.by}
        onValueChange={(by) => put({ by })}
        options={[
          { value: 'holder', label: t`An agent or a person`, note: t`Someone with a key of their own.` },
          {
            value: 'itself',
            label: t`This vault, automatically`,
            note: t`Payments within the limits are approved without asking you.`,
          },
        ]}
      />
      {draft.by === 'holder' ? (
        <>
          <AudienceField
            field={undefined}
            value={draft.audience}
            onValueChange={(audience) => put({ audience })}
            error={shown(draft.audience, problems.audience)}
          />
          <RadioCards
            label={t`What limits it`}
            value={draft.counted}
            onValueChange={(counted) => put({ counted })}
            options={[
              {
                value: 'budget',
                label: t`A budget`,
                note: t`This vault counts, and countersigns each payment.`,
              },
              {
                value: 'each',
                label: t`Each payment on its own`,
                note: t`Anyone can check it offline. No one keeps count.`,
              },
            ]}
          />
        </>
      ) : null}
      <Notice {...(isCounted(draft) ? {} : { tone: 'warn', title: t`Nothing limits the total.` })}>
        {draft.by === 'itself' ? (
          <Trans>
            While this vault is open, it signs payments within the limits right away and shows them to you.
          </Trans>
        ) : draft.counted === 'budget' ? (
          <Trans>
            It needs this vault’s signature on each payment, because no one can count offline. The holder
            asks; you answer under Grants → Requests.
          </Trans>
        ) : (
          <Trans>
            The holder can pay without asking you, as often as they like. No one keeps count. Choose an early
            expiry and small amounts.
          </Trans>
        )}{' '}
        {draft.by !== 'itself' && draft.counted !== 'budget' ? null : (
          <Term of="budget">
            <Trans>What’s a budget?</Trans>
          </Term>
        )}
      </Notice>
      {draft.by === 'holder' ? (
        <RadioCards
          label={t`Who may be paid`}
          value={draft.shops}
          onValueChange={(shops) => put({ shops })}
          options={[
            { value: 'named', label: t`Shops that I name`, note: t`A payment to any other is refused.` },
            { value: 'any', label: t`Any shop`, note: t`Its holder chooses whom to pay.` },
          ]}
        />
      ) : null}
      {draft.by === 'holder' && draft.shops === 'any' ? (
        <Notice tone="warn" title={t`Payments can go to anyone.`}>
          <Trans>
            The holder can pay themselves, or be tricked into paying a thief. Only the amounts limit it.
          </Trans>
        </Notice>
      ) : (
        <TextField
          label={t`Paid to`}
          hint={t`The shops’ web addresses, separated by commas.`}
          placeholder="shop.example"
          value={draft.payees}
          onValueChange={(payees) => put({ payees })}
          error={shown(draft.payees, problems.payees)}
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField
          label={t`Maximum per payment`}
          inputMode="decimal"
          placeholder={t`e.g. ${example.one}`}
          value={draft.most}
          onValueChange={(most) => put({ most })}
          error={shown(draft.most, problems.most)}
        />
        <TextField
          label={t`Minimum per payment`}
          inputMode="decimal"
          placeholder={t`anything`}
          value={draft.least}
          onValueChange={(least) => put({ least })}
          error={problems.least}
        />
        <TextField
          label={t`Currency`}
          placeholder="GBP"
          maxLength={3}
          value={draft.currency}
          onValueChange={(currency) => put({ currency: currency.toUpperCase() })}
          error={shown(draft.currency, problems.currency)}
        />
      </div>
      {isCounted(draft) ? (
        <fieldset className="grid items-start gap-4 sm:grid-cols-3">
          <legend className="mb-3 font-medium text-sm">
            <Trans>Budget for each period</Trans>
          </legend>
          <TextField
            label={t`Total`}
            inputMode="decimal"
            placeholder={t`e.g. ${example.all}`}
            value={draft.total}
            onValueChange={(total) => put({ total })}
            error={shown(draft.total, problems.total)}
          />
          <TextField
            label={t`Payments`}
            inputMode="numeric"
            placeholder={t`any number`}
            value={draft.times}
            onValueChange={(times) => put({ times })}
            error={problems.times}
          />
          <Choice
            label={t`Period`}
            options={[
              { value: 'day', label: t`Each day`, note: t`By UTC.` },
              { value: 'week', label: t`Each week`, note: t`From Monday on, by UTC.` },
              { value: 'month', label: t`Each month`, note: t`From the first on, by UTC.` },
            ]}
            value={draft.period}
            onValueChange={(period) => put({ period })}
          />
        </fieldset>
      ) : null}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Choice
          label={t`Starts`}
          options={[
            { value: 'now', label: t`Now` },
            { value: 'on', label: t`At a date and time` },
          ]}
          value={draft.begin}
          onValueChange={(begin) => put({ begin })}
        />
        {draft.begin === 'on' ? (
          <TextField
            label={t`Starts`}
            type="datetime-local"
            value={draft.beginsOn}
            onValueChange={(beginsOn) => put({ beginsOn })}
            error={shown(draft.beginsOn, problems.begin)}
          />
        ) : null}
        <Choice
          className="sm:col-start-1"
          label={t`Expires`}
          options={expiryOptions()}
          value={draft.expiry}
          onValueChange={(expiry) => put({ expiry })}
          error={draft.expiry === 'on' ? undefined : problems.expiry}
        />
        {draft.expiry === 'on' ? (
          <TextField
            label={t`Expires`}
            type="datetime-local"
            value={draft.expiresOn}
            onValueChange={(expiresOn) => put({ expiresOn })}
            error={shown(draft.expiresOn, problems.expiry)}
          />
        ) : null}
      </div>
      <TextField
        label={t`Your name for it`}
        hint={t`Only you see it. It isn’t part of the token.`}
        maxLength={120}
        value={draft.label}
        onValueChange={(label) => put({ label })}
      />
    </>
  )
}
