import type { OfferedApi, OfferedServer } from '@keyhole/vault/services'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { quotable, visible } from '../../shared/text/visible.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Foreign, ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { type Offer, offerDescription, offerName } from './offer.ts'
import { oneLine } from './one-line.ts'

/** Offers of one kind shown of a server at first. */
const STRETCH = 15

interface OfferListProps {
  servers: readonly OfferedServer[]
  services: readonly OfferedApi[]
  /** Grants one of them. Without it, they are only shown. */
  onGrant?: ((offer: Offer) => void) | undefined
}

/** What a service says it offers, in its own words, quoted. */
export function OfferList({ servers, services, onGrant }: OfferListProps) {
  const { t } = useLingui()
  if (servers.length + services.length === 0)
    return (
      <p className="text-ink-soft text-sm">
        <Trans>It doesn’t say what it offers.</Trans>
      </p>
    )
  return (
    <div className="flex flex-col gap-6">
      {servers.map((server) => (
        <Server key={server.name} server={server} onGrant={onGrant} />
      ))}
      {services.map((api) => (
        <section key={api.name} aria-label={t`API ${api.name}`} className="flex flex-col gap-1">
          <Line
            title={<Trans>API “{api.name}”</Trans>}
            label={t`Grant ${api.name}`}
            onGrant={onGrant && (() => onGrant({ kind: 'api', api }))}
          />
          <p className="text-ink-faint text-sm">{api.methods.join(', ')}</p>
          {api.paths.length === 0 ? null : (
            <p className="wrap-anywhere text-ink-faint text-sm">
              <Trans>It suggests:</Trans> <bdi>{api.paths.slice(0, 12).map(visible).join(', ')}</bdi>
            </p>
          )}
        </section>
      ))}
    </div>
  )
}

interface ServerProps extends Pick<OfferListProps, 'onGrant'> {
  server: OfferedServer
}

function Server({
  server: { name, tools, prompts, resources, templates, suggest, more = 0, moreOthers = 0 },
  onGrant,
}: ServerProps) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Server ${name}`} className="flex flex-col gap-3">
      <h3 className="font-semibold text-sm">
        <Trans>Server “{name}”</Trans>
      </h3>
      <Offers
        offers={tools.map((tool) => ({ kind: 'tool', server: name, tool, suggest }))}
        onGrant={onGrant}
      />
      <Offers
        title={t`Prompts`}
        offers={prompts.map((tool) => ({ kind: 'prompt', server: name, tool, suggest }))}
        onGrant={onGrant}
      />
      <Offers
        title={t`Resources`}
        offers={[...resources, ...templates].map((resource) => ({
          kind: 'resource',
          server: name,
          resource,
        }))}
        onGrant={onGrant}
      />
      {moreOthers > 0 ? (
        <p className="text-ink-faint text-sm">
          <Trans>It has more prompts or resources that didn’t fit in its introduction.</Trans>
        </p>
      ) : null}
      {more > 0 ? (
        <p className="text-ink-faint text-sm">
          <Plural
            value={more}
            one="It has one more tool that didn’t fit in its introduction."
            other="It has # more tools that didn’t fit in its introduction."
          />
        </p>
      ) : null}
    </section>
  )
}

interface OffersProps extends Pick<OfferListProps, 'onGrant'> {
  title?: string
  offers: readonly Offer[]
}

/** What a server offers of one kind. */
function Offers({ title, offers, onGrant }: OffersProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState(STRETCH)
  if (offers.length === 0) return null
  return (
    <>
      {title === undefined ? null : <h4 className="font-medium text-sm">{title}</h4>}
      <ul className="flex flex-col divide-y divide-line">
        {offers.slice(0, shown).map((offer) => (
          <li key={offerName(offer)} className="flex flex-col gap-1 py-3">
            <Line
              title={<Foreign>{visible(offerName(offer))}</Foreign>}
              label={t`Grant ${quotable(offerName(offer))}`}
              onGrant={onGrant && (() => onGrant(offer))}
            />
            <Said offer={offer} />
          </li>
        ))}
      </ul>
      {offers.length > shown ? (
        <Button size="small" className="self-start" onClick={() => setShown(offers.length)}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </>
  )
}

/** What the service says of an offer. */
function Said({ offer }: { offer: Offer }) {
  const said = offerDescription(offer)
  return said === undefined ? null : (
    <div className="text-ink-faint text-sm">
      <ForeignQuote>{quotable(oneLine(said))}</ForeignQuote>
    </div>
  )
}

function Line({
  title,
  label,
  onGrant,
}: {
  title: React.ReactNode
  label: string
  onGrant: (() => void) | undefined
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 font-medium text-sm">{title}</span>
      {onGrant ? (
        <Button size="small" onClick={onGrant} aria-label={label}>
          <Trans>Grant…</Trans>
        </Button>
      ) : null}
    </div>
  )
}
