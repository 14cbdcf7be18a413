import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Comparison } from './comparison.tsx'
import { ForDevelopers } from './for-developers.tsx'
import { SampleGrant } from './sample-grant.tsx'
import { WhenLost } from './when-lost.tsx'

/** What there is to know before making a vault: against a password, on a real token, when something is lost, and for whoever builds on it. */
export function Landing() {
  const { t } = useLingui()
  return (
    <>
      <Part
        title={t`A password opens everything.\nA grant opens only what you say.`}
        text={t`Most people paste passwords and API keys into agents and apps. This is what changes.`}
      >
        <Comparison />
      </Part>
      <Part
        title={t`You sign a sentence.\nThey get a token.`}
        text={t`Both always say the same thing. Change one letter of the token, and the signature fails.`}
      >
        <SampleGrant />
      </Part>
      <Part
        title={t`If you lose something`}
        text={t`Your keys are encrypted in this browser and in your backups. If you add devices, they and a relay have encrypted copies too.`}
      >
        <WhenLost />
      </Part>
      <Part
        title={t`Build on it`}
        text={t`Tokens follow UCAN 1.0.0, which is open to all. Anyone can check one offline, in any language.`}
      >
        <ForDevelopers />
      </Part>
      <section className="flex flex-col items-start gap-4 border-line border-t pt-10">
        <h2 className="font-semibold text-2xl">
          <Trans>Create your vault</Trans>
        </h2>
        <p className="max-w-prose text-ink-soft">
          <Trans>
            Keyhole is free software, not yet audited. Until you have opened a backup once, keep nothing in it
            that you can’t afford to lose. SECURITY.md lists what Keyhole promises and what it can’t.
          </Trans>
        </p>
        <Link to="/register" className={buttonClass('primary')}>
          <Trans>Create vault</Trans>
        </Link>
      </section>
    </>
  )
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-8">
      <div className="max-w-2xl">
        <h2 className="whitespace-pre-line font-semibold text-2xl sm:text-3xl">{title}</h2>
        <p className="mt-3 text-ink-soft text-lg">{text}</p>
      </div>
      {children}
    </section>
  )
}
