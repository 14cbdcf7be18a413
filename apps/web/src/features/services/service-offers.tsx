import type { Contact } from '@keyhole/vault'
import { forgetService, readServices, type SavedService, saveService } from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { visible } from '../../shared/text/visible.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { moment } from '../../shared/words/when.ts'
import { tailOf } from '../../shared/words/who.ts'
import { alsoAt, type Offer } from './offer.ts'
import { OfferList } from './offer-list.tsx'
import { ServiceGrantForm } from './service-grant-form.tsx'

/** What a contact that is a service offers, and granting it from there. */
export function ServiceOffers({ contact: { dids } }: { contact: Contact }) {
  const { t } = useLingui()
  const vault = useVault()
  const { data: services, failed } = useVaultQuery('services', () => readServices(vault))
  const [granting, setGranting] = useState<{ readonly did: string; readonly offer: Offer }>()
  if (failed !== undefined) return <Failure error={failed} />
  if (!services) return null
  if (granting)
    return (
      <ServiceGrantForm
        offer={granting.offer}
        alsoAt={alsoAt(services.values(), granting.did, granting.offer)}
        onClose={() => setGranting(undefined)}
      />
    )
  const saved = dids.flatMap((did) => services.get(did) ?? [])
  if (saved.length === 0)
    return (
      <Card title={t`What it offers`}>
        <p className="text-ink-soft text-sm">
          <Trans>
            This service hasn’t introduced itself. Run “keyhole gate introduce” on its machine, and open the
            link here.
          </Trans>
        </p>
      </Card>
    )
  return saved.map((service) => (
    <Offers
      key={service.did}
      service={service}
      isOneOfSeveral={saved.length > 1}
      onGrant={(offer) => setGranting({ did: service.did, offer })}
    />
  ))
}

interface OffersProps {
  service: SavedService
  isOneOfSeveral: boolean
  onGrant: (offer: Offer) => void
}

function Offers({ service, isOneOfSeveral, onGrant }: OffersProps) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const readAgain = useReadAgain('services')
  const { did, address, servers, services, savedAt } = service
  const forget = useAction(async () => {
    const gone = await forgetService(vault, did)
    readAgain()
    announce(t`Removed what it offers`, t`What you granted stays as it is.`, {
      about: did,
      undo: async () => {
        if (gone) await saveService(vault, gone)
        readAgain()
      },
    })
  })
  return (
    <Card
      title={isOneOfSeveral ? t`What ${tailOf(did)} offers` : t`What it offers`}
      description={t`In the service’s own words. Grant one of these to someone, with the limits you choose.`}
      actions={
        <Button size="small" tone="bare" why={why} busy={forget.pending} onClick={forget.run}>
          <Trans>Remove this list</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Failure error={forget.error} />
        <Facts
          facts={[
            address === undefined ? undefined : [t`Address`, <code key="address">{visible(address)}</code>],
            [t`Saved`, moment(savedAt)],
          ]}
        />
        <OfferList servers={servers} services={services} onGrant={onGrant} />
      </div>
    </Card>
  )
}
