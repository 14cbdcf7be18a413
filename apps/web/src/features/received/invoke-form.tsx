import type { StoredToken } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, PenLine } from 'lucide-react'
import { useMemo, useState } from 'react'
import * as v from 'valibot'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { clearDraft, useDraft } from '../../shared/hooks/drafts.ts'
import { useRequestedForm } from '../../shared/hooks/requested-forms.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { exactJson } from '../../shared/policy/json.ts'
import { HeldSentence } from '../../shared/tokens/held-sentence.tsx'
import { type Basis, useBasis } from '../../shared/tokens/use-basis.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { CodeBlock } from '../../shared/ui/text/code-block.tsx'
import { commandProblem, commandWords } from '../../shared/words/command.ts'
import { covers } from '../../shared/words/covers.ts'
import { paymentArgs, paymentTerms } from '../../shared/words/payment-args.ts'
import { REQUEST } from '../../shared/words/payment-commands.ts'
import { fieldName } from '../../shared/words/policy.ts'
import { didProblem } from '../../shared/words/recognise.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { who } from '../../shared/words/who.ts'
import { Allowed } from './allowed.tsx'
import { type ArgsDraft, emptyOfPayment, fieldsOf, isBegun, NO_ARGS, readArgs, withPayment } from './args.ts'
import { ArgsFields } from './args-fields.tsx'
import { invokeFormKey } from './invoke-form-key.ts'
import { InvokeResult } from './invoke-result.tsx'
import { type RequestEnd, requestEnd, requestEnds } from './request-end.ts'
import { PaymentSentence } from './request-sentence.tsx'

/** A request that is being filled in. */
interface UseDraft {
  command: string
  audience: string
  args: ArgsDraft
  end: RequestEnd
}

function isUseDraft(value: unknown): value is UseDraft {
  return typeof value === 'object' && value !== null && 'args' in value && 'end' in value
}

interface UseFormProps {
  stored: StoredToken
  onDone: () => void
}

/** Uses a received token: signs a request to hand to the service. */
export function InvokeForm({ stored, onDone }: UseFormProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { label } = stored
  const found = useBasis(stored)
  const [signed, setSigned] = useState<StoredToken>()
  const place = useRequestedForm<HTMLDivElement>(invokeFormKey(stored.cid), () => setSigned(undefined))
  if (signed) return <InvokeResult signed={signed} onAgain={() => setSigned(undefined)} onDone={onDone} />
  return (
    <Card
      title={label === undefined ? t`Use it` : t`Use “${label}”`}
      description={t`You sign a request and give it to the service that should do it. It works once.`}
      actions={
        <Button size="small" tone="bare" onClick={onDone} icon={<ArrowLeft className="size-4" aria-hidden />}>
          <Trans>Back</Trans>
        </Button>
      }
    >
      <div ref={place} tabIndex={-1} className="flex flex-col gap-6 rounded-control">
        <HeldSentence stored={stored} found={found} contacts={contacts} />
        {found.state === 'failed' ? <Failure error={found.error} /> : null}
        {found.state === 'refused' ? (
          <Notice tone="bad" title={found.title}>
            {found.advice}
          </Notice>
        ) : null}
        {found.state === 'held' ? <Request stored={stored} basis={found.basis} onSigned={setSigned} /> : null}
      </div>
    </Card>
  )
}

interface RequestProps {
  stored: StoredToken
  basis: Basis
  onSigned: (signed: StoredToken) => void
}

function Request({ stored, basis, onSigned }: RequestProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { keys } = snapshot
  const contacts = useContacts()
  const begin = useMemo<UseDraft>(
    () => ({ command: basis.command === '/' ? '' : basis.command, audience: '', args: NO_ARGS, end: '5m' }),
    [basis.command],
  )
  const name = `use:${stored.id}`
  const [draft, setDraft] = useDraft(name, begin, isUseDraft)
  const [strict, setStrict] = useState(false)
  const command = draft.command.trim()
  const isPayment = command === REQUEST
  const fields = useMemo(() => {
    const named = fieldsOf(basis.policy)
    return isPayment ? withPayment(named) : named
  }, [basis.policy, isPayment])
  const read = useMemo(() => readArgs(draft.args, fields), [draft.args, fields])

  const audience = draft.audience.trim()
  const held = basis.command
  const wrongCommand =
    commandProblem(command) ??
    (covers(held, command) ? undefined : t`You received ${held}, which does not cover ${command}.`)
  const wrongAudience = audience === '' ? undefined : didProblem(audience)
  const subject = who(basis.subject, contacts)

  // A vault reads no other request for a payment, so none is signed.
  const isWhole = !isPayment || ('args' in read && v.is(paymentArgs, read.args))
  const empty = isPayment ? emptyOfPayment(draft.args, fields) : []
  const isUnfinished = 'problem' in read || !isWhole || !isBegun(draft.args, fields)
  const open = fields.filter(({ preset }) => preset === undefined)
  // One field that is still empty is named. Of several, any would do.
  const first = open.length === 1 && !isBegun(draft.args, fields) ? open.map(({ path }) => path) : []
  const named = empty.length > 0 ? empty : first
  const needed = [
    ...(wrongCommand === undefined ? [] : [t`Command`]),
    ...(named.length > 0 ? named.map(fieldName) : isUnfinished ? [t`Arguments`] : []),
    ...(wrongAudience === undefined ? [] : [t`Who should do it`]),
  ]
  const sign = useAction(async () => {
    setStrict(true)
    if (wrongCommand !== undefined || wrongAudience !== undefined || 'problem' in read || !isWhole) return
    const key = keys.find(({ did }) => did === stored.audienceDid)
    const signed = await vault.tokens.invoke({
      command,
      args: read.args,
      subject_did: basis.subject,
      proof_token: stored.token,
      leaf: stored.cid,
      expires_at: requestEnd(draft.end, Date.now(), basis.expiresAt),
      ...(audience !== '' && { audience_did: audience }),
      ...(key && { key_id: key.key_id }),
    })
    clearDraft(name)
    onSigned(signed)
  })
  const change = (next: Partial<UseDraft>) => {
    sign.clear()
    setDraft({ ...draft, ...next })
  }
  const words = commandWords(command)
  // The amount is typed in the smallest unit, so it is told as money before it is signed.
  const terms = isPayment && 'args' in read ? v.safeParse(paymentTerms, read.args) : undefined
  return (
    <Form onSubmit={sign.run} className="grid items-start gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <TextField
          label={t`Command`}
          hint={
            wrongCommand !== undefined
              ? t`${held}, or something under it.`
              : isPayment
                ? t`You ask for a payment. Write its amount in the smallest unit, such as cents.`
                : t`Your request: ${words}.`
          }
          mono
          value={draft.command}
          onValueChange={(next) => change({ command: next })}
          error={strict || command !== '' ? wrongCommand : undefined}
        />
        <ArgsFields
          fields={fields}
          draft={draft.args}
          onDraftChange={(args) => change({ args })}
          missing={strict ? empty : []}
          problem={
            'problem' in read
              ? read.problem
              : strict && !isWhole
                ? t`It has to name a payee, an order, a currency, and an amount in its smallest unit. Nothing else is allowed.`
                : undefined
          }
        />
        <TextField
          label={t`Who should do it`}
          hint={t`The service’s DID. Leave it empty to ask the owner, ${subject}.`}
          mono
          placeholder="did:key:z6Mk…"
          value={draft.audience}
          onValueChange={(next) => change({ audience: next })}
          error={wrongAudience}
        />
        <Choice
          label={t`Expires`}
          options={requestEnds()}
          value={draft.end}
          onValueChange={(end) => change({ end })}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {'args' in read ? (
          <>
            <CodeBlock label={t`arguments`} text={exactJson(read.args)} />
            {terms?.success ? (
              <PaymentSentence did={audience === '' ? basis.subject : audience} asked={terms.output} />
            ) : null}
            {strict || isBegun(draft.args, fields) ? (
              wrongCommand === undefined ? (
                <Allowed basis={basis} command={command} args={read.args} />
              ) : null
            ) : (
              <Notice>
                <Trans>Fill in the arguments to see whether the request would be allowed.</Trans>
              </Notice>
            )}
          </>
        ) : null}
        <FormEnd
          action={sign}
          why={whyFixed(snapshot)}
          needed={needed}
          icon={<PenLine className="size-4" aria-hidden />}
        >
          <Trans>Sign the request</Trans>
        </FormEnd>
      </div>
    </Form>
  )
}
