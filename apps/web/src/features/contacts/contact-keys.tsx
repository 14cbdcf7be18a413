import type { Contact } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { tailOf } from '../../shared/words/who.ts'
import { DidField } from './did-field.tsx'
import { didTaken } from './did-taken.ts'

/** The keys of a contact, by their DIDs: added, copied, taken away. */
export function ContactKeys({ index, contact: { id, dids } }: { index: ContactIndex; contact: Contact }) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const [typed, setTyped] = useState<string>()
  const [strict, setStrict] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const problem = typed === undefined ? undefined : didTaken(index, typed)
  const add = useAction(async () => {
    setStrict(true)
    if (typed === undefined || problem !== undefined) return
    await vault.contacts.addDid(id, typed.trim())
    setTyped(undefined)
    setStrict(false)
    list.current?.focus()
    announce(t`Key added`)
  })
  const remove = useAction(async (did: string) => {
    await vault.contacts.removeDid(id, did)
    list.current?.focus()
    announce(t`Key removed from the contact`, tailOf(did), {
      undo: async () => {
        await vault.contacts.addDid(id, did)
      },
    })
  })
  return (
    <section className="flex flex-col gap-2" aria-label={t`Keys`}>
      <h3 className="font-semibold text-sm">
        <Trans>Keys</Trans>
      </h3>
      {dids.length === 0 ? (
        <p className="text-ink-soft text-sm">
          <Trans>No key yet. Without one you can’t grant this contact anything.</Trans>
        </p>
      ) : null}
      <ul ref={list} tabIndex={-1} className="flex flex-col gap-2 outline-none">
        {dids.map((did) => (
          <li key={did} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <DidText text={did} what={t`the DID`} />
            <Button
              size="small"
              tone="bare"
              why={why}
              aria-label={t`Remove the key ${tailOf(did)}`}
              onClick={() => remove.run(did)}
            >
              <Trans>Remove</Trans>
            </Button>
          </li>
        ))}
      </ul>
      <Failure error={remove.error} />
      {typed === undefined ? (
        <Button size="small" className="self-start" why={why} onClick={() => setTyped('')}>
          <Trans>Add a key</Trans>
        </Button>
      ) : (
        <Form onSubmit={add.run} onKeyDown={(event) => event.key === 'Escape' && setTyped(undefined)}>
          <DidField
            value={typed}
            onValueChange={(next) => {
              add.clear()
              setTyped(next)
            }}
            error={strict || typed.trim() !== '' ? problem : undefined}
          />
          <Failure error={add.error} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" tone="primary" busy={add.pending}>
              <Trans>Add</Trans>
            </Button>
            <Button tone="bare" onClick={() => setTyped(undefined)}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        </Form>
      )}
    </section>
  )
}
