import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { HoleStage } from '../../../shared/ui/layout/hole-stage.tsx'
import { explain } from '../../../shared/words/explain-refusal.ts'
import { BelowTheFold } from './below-the-fold.tsx'
import { HeroKeyhole } from './hero-keyhole.tsx'
import { Scene } from './scene/scene.tsx'
import { WaysIn } from './ways-in.tsx'

const Landing = lazy(() => import('./landing.tsx').then((m) => ({ default: m.Landing })))

/** What Keyhole is for, a scene that shows it, the ways in, and below them what there is to know. */
export function Welcome() {
  const { error } = useVaultSnapshot()
  const [lit, setLit] = useState(false)
  return (
    <>
      <div className="group/hero relative">
        <HoleStage className="inset-x-0 -top-16 bottom-0" />
        <div className="relative mx-auto w-full max-w-6xl px-4 pb-10 sm:pb-14 scant:px-2">
          {error ? <NotOpened error={error} /> : null}
          <div className="on-band grid items-center gap-x-12 pt-6 pb-12 sm:pt-10 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] lg:py-20">
            <HeroKeyhole lit={lit} className="mx-auto h-44 max-lg:mb-10 lg:order-last lg:h-72 scant:h-28" />
            <div className="flex flex-col items-start gap-6">
              <h1 className="font-semibold text-3xl sm:text-4xl scant:text-2xl">
                <Trans>Give an AI agent one folder, not your password.</Trans>
              </h1>
              <p className="max-w-xl text-pretty text-ink-soft text-lg">
                <Trans>
                  Keyhole makes keys that open one thing, for as long as you say. No{' '}
                  <span className="whitespace-nowrap">sign-up</span>, and no server can read your keys.
                </Trans>
              </p>
              <div className="flex flex-wrap gap-3">
                <Link to="/register" data-opens="" className={buttonClass('primary')}>
                  <Trans>Create vault</Trans>
                </Link>
                <a href="#scene" className={buttonClass('quiet')}>
                  <Trans>See how it works</Trans>
                </a>
              </div>
            </div>
          </div>
          <Scene onOpen={setLit} />
        </div>
      </div>
      <div className="flex-1 bg-canvas">
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-16 px-4 pt-12 pb-28 sm:gap-24 sm:pt-16 md:pb-24 scant:px-2 scant:pb-8">
          <WaysIn />
          <BelowTheFold>
            <Landing />
          </BelowTheFold>
        </div>
      </div>
    </>
  )
}

/** Someone who had a vault here is not a new visitor: what became of it is said first. */
function NotOpened({ error }: { error: unknown }) {
  const { t } = useLingui()
  const { title } = explain(error)
  return (
    <Notice
      tone="bad"
      title={t`The vault that was open here last couldn’t be opened.`}
      actions={
        <>
          <Link to="/register" search={{ tab: 'accounts' }} className={buttonClass('quiet', 'small')}>
            <Trans>Vaults here</Trans>
          </Link>
          <Link to="/register" search={{ tab: 'restore' }} className={buttonClass('quiet', 'small')}>
            <Trans>Restore from a backup</Trans>
          </Link>
        </>
      }
    >
      <Trans>{title} If the browser cleared its storage, your backup file brings everything back.</Trans>
    </Notice>
  )
}
