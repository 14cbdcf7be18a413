import { readServices, type SavedService } from '@keyhole/vault/services'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { quotable } from '../../shared/text/visible.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { who } from '../../shared/words/who.ts'
import { alsoAt, type Offer, offerDescription, offerName } from './offer.ts'
import { oneLine } from './one-line.ts'

/** Offers of a service that are shown at first, and services that are shown. */
const STRETCH = 6
const MOST = 12

/** An offer that a grant is begun from. */
export interface PickedOffer {
  readonly offer: Offer
  /** DIDs of other services where the grant would work too. */
  readonly alsoAt: readonly string[]
}

interface ServiceTemplatesProps {
  onPick: (picked: PickedOffer) => void
  /** Shown instead where no saved service offers anything. */
  otherwise: ReactNode
  /** Shown after what is offered. */
  beside: ReactNode
}

/** What the saved services offer, to start a grant from. */
export function ServiceTemplates({ onPick, otherwise, beside }: ServiceTemplatesProps) {
  const vault = useVault()
  const contacts = useContacts()
  const { data: services, failed } = useVaultQuery('services', () => readServices(vault))
  if (failed !== undefined) return otherwise
  if (!services) return null
  const offering = [...services.values()]
    .map((service) => ({ service, name: who(service.did, contacts), offers: offersOf(service) }))
    .filter(({ offers }) => offers.length > 0)
    .sort((a, b) => a.name.localeCompare(b.name))
  if (offering.length === 0) return otherwise
  return (
    <>
      {offering.slice(0, MOST).map(({ service: { did }, name, offers }) => (
        <Offers
          key={did}
          name={name}
          offers={offers}
          onPick={(offer) => onPick({ offer, alsoAt: alsoAt(services.values(), did, offer) })}
        />
      ))}
      {beside}
    </>
  )
}

function offersOf({ servers, services }: SavedService): readonly Offer[] {
  return [
    ...servers.flatMap(({ name: server, tools, suggest }) =>
      tools.map((tool) => ({ kind: 'tool', server, tool, suggest }) as const),
    ),
    ...services.map((api) => ({ kind: 'api', api }) as const),
    ...servers.flatMap(({ name: server, prompts, suggest }) =>
      prompts.map((tool) => ({ kind: 'prompt', server, tool, suggest }) as const),
    ),
    ...servers.flatMap(({ name: server, resources, templates }) =>
      [...resources, ...templates].map((resource) => ({ kind: 'resource', server, resource }) as const),
    ),
  ]
}

interface OffersProps {
  /** What the owner calls the service. */
  name: string
  offers: readonly Offer[]
  onPick: (offer: Offer) => void
}

function Offers({ name: service, offers, onPick }: OffersProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState(STRETCH)
  return (
    <fieldset
      aria-label={service}
      className="grid items-baseline gap-x-3 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]"
    >
      <span className="wrap-anywhere text-ink-faint text-sm" aria-hidden="true">
        <bdi>{service}</bdi>
      </span>
      <div className="flex min-w-0 flex-wrap gap-2">
        {offers.slice(0, shown).map((offer) => {
          const place = offer.kind === 'api' ? undefined : offer.server
          const name = offerName(offer)
          const said = offerDescription(offer)
          return (
            <Button
              key={`${offer.kind} ${place} ${name}`}
              size="small"
              title={said === undefined ? place : quotable(oneLine(said)).slice(0, 200)}
              onClick={() => onPick(offer)}
              className="max-w-full whitespace-normal wrap-anywhere"
            >
              <bdi>{offer.kind === 'api' ? t`API “${name}”` : quotable(name)}</bdi>
            </Button>
          )
        })}
        {offers.length > shown ? (
          <Button size="small" tone="bare" onClick={() => setShown(offers.length)}>
            <Trans>Show more</Trans>
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}
