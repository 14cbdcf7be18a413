import { createEnclave } from '@keyhole/enclave'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { PageHeader } from '../../../shared/ui/layout/page-header.tsx'
import { AppWindow } from './app-window.tsx'
import { AskCard } from './ask-card.tsx'
import { EndCard } from './end-card.tsx'
import { ENGINE } from './engine.ts'
import { type Grant, RecipeApp } from './recipe-app.ts'
import { type Service, serviceOf } from './service.ts'
import { UseCard } from './use-card.tsx'

/** The app with its key, and a service for each owner that has granted it something. */
interface Made {
  readonly app: RecipeApp
  serviceFor(owner: string): Service
}

async function make(): Promise<Made & { close(): void }> {
  const [app, keyless] = await Promise.all([
    RecipeApp.make(ENGINE),
    createEnclave({ ...ENGINE, keyless: true }),
  ])
  // One service per owner for as long as the page is open, so that revocations aren't forgotten when the app connects again.
  const services = new Map<string, Service>()
  return {
    app,
    serviceFor: (owner) => {
      const service = services.get(owner) ?? serviceOf(keyless, owner)
      services.set(owner, service)
      return service
    },
    close: () => void Promise.all([app.close(), keyless.close()]),
  }
}

/** An app that asks the vault as an app on any other site would, uses what it got, and is cut off. */
export function AppPage() {
  const { t } = useLingui()
  const [made, setMade] = useState<Made>()
  const [failed, setFailed] = useState<unknown>()
  const [grant, setGrant] = useState<Grant>()
  const key = useRef(0)

  useEffect(() => {
    let current = true
    const making = make()
    making.then(
      (all) => current && setMade(all),
      (error: unknown) => current && setFailed(error),
    )
    return () => {
      current = false
      making.then(
        ({ close }) => close(),
        () => undefined,
      )
    }
  }, [])

  const service = grant && made?.serviceFor(grant.owner)
  return (
    <AppWindow>
      <PageHeader title={t`Recipes`}>
        <Trans>
          The demo’s app. It asks your vault as any other site’s app would: through{' '}
          <code>@keyhole/connect</code>, for one thing, with its own key.
        </Trans>
      </PageHeader>
      <Failure error={failed} />
      <AskCard
        app={made?.app}
        isFailed={failed !== undefined}
        grant={grant}
        onGrant={(next) => {
          key.current += 1
          setGrant(next)
        }}
      />
      <UseCard key={`use ${key.current}`} app={made?.app} service={service} grant={grant} />
      <EndCard key={`end ${key.current}`} service={service} />
      <Notice title={t`What’s different here`}>
        <p>
          <Trans>
            The service runs in this page, with the code of <code>@keyhole/verify</code>, and an enclave
            without keys. Elsewhere the same code runs behind HTTP.
          </Trans>
        </p>
        <p className="mt-2">
          <Trans>
            The app is on the vault’s own site, so the vault’s window names that site. Any other app has its
            own, and the browser keeps them apart.
          </Trans>
        </p>
      </Notice>
    </AppWindow>
  )
}
