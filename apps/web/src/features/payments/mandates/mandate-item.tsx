import type { Mandate } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { NameIt } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../../shared/grant-words/sentence-view.tsx'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { MandateActions } from './mandate-actions.tsx'
import { MandateKeeper } from './mandate-keeper.tsx'
import { MandateBadge, SuspendedNotice } from './mandate-standing.tsx'
import { mandateState } from './mandate-state.ts'
import { mandateCapability } from './mandate-words.ts'
import { useMandateName } from './use-mandate-name.ts'

interface MandateItemProps {
  mandate: Mandate
  now: number
}

/** One of the mandates that this vault counts: its sentence, what is left of it, what can be done about it, and the way to its page. */
export function MandateItem({ mandate, now }: MandateItemProps) {
  const contacts = useContacts()
  const { name } = useMandateName(mandate)
  const state = mandateState(mandate, now)
  const over = state === 'ended'
  const article = useRef<HTMLElement>(null)
  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-label={name}
      className="flex flex-wrap items-start gap-x-6 gap-y-3 border-line border-t py-4 outline-none"
    >
      <div className="min-w-0 flex-1 basis-72">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <SentenceView
          capability={mandateCapability(mandate)}
          contacts={contacts}
          className={over ? 'text-ink-faint' : 'text-ink-soft'}
        />
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <MandateBadge mandate={mandate} now={now} />
          {over ? null : <NameIt did={mandate.audience} then={() => article.current} />}
        </div>
      </div>
      <div className="w-full sm:w-56">
        <BudgetMeter mandate={mandate} over={over} />
      </div>
      {mandate.keeper ? null : <SuspendedNotice state={state} />}
      <MandateKeeper mandate={mandate} />
      <MandateActions mandate={mandate} name={name} state={state}>
        <Link
          to="/payment"
          search={{ tab: 'mandates', mandate: mandate.cid }}
          className={buttonClass('bare', 'small')}
        >
          <Trans>Details</Trans>
        </Link>
      </MandateActions>
    </article>
  )
}
