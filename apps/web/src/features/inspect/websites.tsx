import { useVault } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { allowedHosts, canAskHosts, offeredHosts, rememberHosts } from '../../shared/vault/did-web-hosts.ts'

/** Chooses which websites may be asked for their keys when checking signatures, or says why none can be. */
export function Websites() {
  const { t } = useLingui()
  const vault = useVault()
  const [allowed, setAllowed] = useState(allowedHosts)
  const [isStored, setStored] = useState(true)
  const offered = offeredHosts()

  const allow = (host: string, isAllowed: boolean) => {
    const next = offered.filter((each) => (each === host ? isAllowed : allowed.includes(each)))
    setAllowed(next)
    setStored(rememberHosts(next))
    void vault.settings.allowDidWebHosts(next)
  }
  if (!canAskHosts() || offered.length === 0) {
    return (
      <Card title={t`Signed by a website`}>
        {canAskHosts() ? (
          <Notice title={t`This Keyhole can’t check tokens signed by a website.`}>
            {t`The operator of this Keyhole has turned that off.`}
          </Notice>
        ) : (
          <Notice title={t`This browser can’t ask websites`}>
            {t`This browser can’t check what a website signed, so it’s refused here.`}
          </Notice>
        )}
      </Card>
    )
  }
  return (
    <Card
      title={t`Signed by a website`}
      description={t`Some tokens and receipts are signed by a website (did:web). To check one, Keyhole asks that website for its keys, and the website sees the request. No website is asked unless you allow it here.`}
    >
      <div className="flex flex-col gap-3">
        {offered.map((host) => (
          <CheckBox
            key={host}
            label={t`Ask ${host}`}
            checked={allowed.includes(host)}
            onCheckedChange={(isAllowed) => allow(host, isAllowed)}
          />
        ))}
        {isStored ? null : (
          <Notice tone="warn">{t`This browser stores nothing, so this lasts until you leave.`}</Notice>
        )}
      </div>
    </Card>
  )
}
