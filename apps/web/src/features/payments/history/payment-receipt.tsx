import type { PaymentRecord } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { tooLong } from '../../../shared/text/too-long.ts'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { FileDrop } from '../../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Form, FormEnd } from '../../../shared/ui/layout/form.tsx'
import { HandOver } from '../../../shared/ui/sharing/hand-over.tsx'
import { ScanButton } from '../../../shared/ui/sharing/scan-button.tsx'
import { explainText } from '../../../shared/words/explain-refusal.ts'
import { money, payeeName } from '../../../shared/words/payment.ts'
import { whyFixed } from '../../../shared/words/refusals/why-fixed.ts'
import { moment } from '../../../shared/words/when.ts'

/** What the shop says became of a payment, signed by it; or the place to paste that. */
export function PaymentReceiptCard({ payment }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { receipt, payee } = payment
  if (!receipt) return <ReceiptForm payment={payment} />
  const site = payeeName(payee, contacts)
  const added = moment(receipt.at)
  return (
    <div className="flex flex-col gap-3">
      <Notice
        tone={receipt.outcome === 'ok' ? 'good' : 'bad'}
        title={receipt.outcome === 'ok' ? t`${site} says that it was paid.` : t`${site} says that it failed.`}
      >
        <Trans>Its signature was checked when the receipt was added, {added}.</Trans>
      </Notice>
      <HandOver text={receipt.token} label={t`receipt`} what={t`the receipt`} />
    </div>
  )
}

/** Takes a receipt in: pasted, scanned or dropped. It is checked before it is kept. */
function ReceiptForm({ payment }: { payment: PaymentRecord }) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const contacts = useContacts()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = useAction(async () => {
    const trimmed = text.trim()
    if (trimmed === '') {
      setProblem(t`Paste the receipt that the shop sent.`)
      return
    }
    if (tooLong(trimmed)) return
    const { id, payee, amount, currency, digits } = await vault.payments.addReceipt(trimmed)
    const sum = money(amount, currency, digits)
    const site = payeeName(payee, contacts)
    announce(
      t`Receipt checked and saved`,
      id === payment.id ? undefined : t`It’s for another payment: ${sum} to ${site}.`,
    )
    setText('')
  })
  const change = (next: string) => {
    setProblem(undefined)
    add.clear()
    setText(next)
  }
  return (
    <Form onSubmit={add.run} className="flex flex-col gap-3">
      <TextArea
        label={t`Receipt`}
        hint={t`What the shop signed once it had the payment. It is checked before it is saved.`}
        aside={<ScanButton what={t`a receipt`} onText={change} />}
        mono
        rows={3}
        placeholder={t`Paste the receipt`}
        value={text}
        onValueChange={change}
        onCommit={why === undefined ? add.run : undefined}
        error={problem ?? (add.error === undefined ? undefined : explainText(add.error))}
      />
      <FileDrop onText={change} onProblem={setProblem} />
      <FormEnd
        // What was refused is said at the field.
        action={{ pending: add.pending }}
        why={why}
        tone="quiet"
        icon={<ReceiptText className="size-4" aria-hidden />}
      >
        <Trans>Check and add</Trans>
      </FormEnd>
    </Form>
  )
}
