import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Comparison } from './comparison.tsx'
import { ForWhom } from './for-whom.tsx'
import { SampleGrant } from './sample-grant.tsx'
import { WhenLost } from './when-lost.tsx'

/** What Keyhole does, for who wants to know before making a vault: shown with a real grant, and with its limits. */
export function Landing() {
  const { t } = useLingui()
  return (
    <>
      <Part
        title={t`One sentence, one token`}
        text={t`You read and sign the sentence. They get the text. Both say the same, and nobody can change one of them.`}
      >
        <SampleGrant />
      </Part>
      <Part
        title={t`Not all doors, for ever`}
        text={t`What people paste into agents and apps today opens everything. A grant opens what you said.`}
      >
        <Comparison />
      </Part>
      <Part title={t`What it is for`}>
        <ForWhom />
      </Part>
      <Part
        title={t`When something is lost`}
        text={t`Your keys live in this browser, sealed, and in the backups that you make. Nowhere else.`}
      >
        <WhenLost />
      </Part>
      <section className="flex flex-col items-center gap-4 rounded-card border border-line bg-surface p-8 text-center shadow-card">
        <h2 className="font-bold text-2xl">
          <Trans>Make the first key to one door</Trans>
        </h2>
        <p className="max-w-prose text-ink-soft text-sm">
          <Trans>
            Keyhole is free software, and has had no outside audit yet: do not put into it what you cannot
            afford to lose, until you have a backup that you have opened once. What it promises, and what it
            cannot, stands in its source, in SECURITY.md and docs/threat-model.md, with the test for each
            line.
          </Trans>
        </p>
        <Link to="/register" className={buttonClass('primary')}>
          <Trans>Create a vault</Trans>
        </Link>
      </section>
    </>
  )
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-5 pt-6 sm:pt-10">
      <div className="max-w-prose">
        <h2 className="font-bold text-2xl tracking-tight sm:text-3xl">{title}</h2>
        {text ? <p className="mt-2 text-ink-soft">{text}</p> : null}
      </div>
      {children}
    </section>
  )
}
