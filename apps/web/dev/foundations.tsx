import { ArchiveRestore, Bot, CreditCard, KeyRound, Lock, Search } from 'lucide-react'
import { useState } from 'react'
import { HeroKeyhole } from '../src/pages/home/landing/hero-keyhole.tsx'
import { setHole } from '../src/shared/browser/hole-state.ts'
import { Button } from '../src/shared/ui/buttons/button.tsx'
import { CheckBox } from '../src/shared/ui/fields/check-box.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { HoleStage } from '../src/shared/ui/layout/hole-stage.tsx'
import { KeyholeMark } from '../src/shared/ui/layout/keyhole-mark.tsx'

const SIZES = [
  ['text-4xl font-semibold', '48 · the landing'],
  ['text-3xl font-semibold', '32 · a page'],
  ['text-2xl font-semibold', '24 · a page on a phone'],
  ['text-xl font-semibold', '20 · a part of a page'],
  ['text-lg', '18 · a sentence that is signed'],
  ['text-base', '16 · text'],
  ['text-sm', '14 · labels, lists'],
  ['text-xs', '12 · asides'],
] as const
const COLOURS = [
  ['bg-canvas', 'canvas'],
  ['bg-surface', 'surface'],
  ['bg-raised', 'raised'],
  ['bg-sunken', 'sunken'],
  ['bg-band', 'band'],
  ['bg-ink', 'ink'],
  ['bg-ink-soft', 'ink-soft'],
  ['bg-ink-faint', 'ink-faint'],
  ['bg-brass-fill', 'brass-fill: open'],
  ['bg-good', 'good'],
  ['bg-warn', 'warn: soon'],
  ['bg-bad-fill', 'bad: failed'],
] as const
const ICONS = [KeyRound, Lock, Search, Bot, CreditCard, ArchiveRestore]

/** The basics: type, colours, icons and the hole. */
export function Foundations() {
  const [lit, setLit] = useState(false)
  const [staged, setStaged] = useState(true)
  return (
    <>
      <Card title="Type" description="Eight sizes, three weights, one sans and one mono.">
        <div className="flex flex-col gap-3">
          {SIZES.map(([look, words]) => (
            <p key={look} className={look}>
              {words}
            </p>
          ))}
          <p>
            400 Il1| O0 1,111 8,888 <span className="font-medium">500 Il1| O0</span>{' '}
            <span className="font-semibold">600 Il1| O0</span> “Größe” ‚Übermut’ Мария 名前
          </p>
          <code>did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK Il1|O0</code>
        </div>
      </Card>
      <Card title="Colours">
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {COLOURS.map(([look, name]) => (
            <li key={name} className="text-sm">
              <span className={`mb-1 block h-12 rounded-control border border-line ${look}`} />
              {name}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Icons and the mark">
        <div className="flex flex-wrap items-center gap-4">
          {ICONS.map((Icon) => (
            <Icon key={Icon.displayName} className="size-5" aria-hidden />
          ))}
          <KeyholeMark className="size-7 text-ink" lit={lit} />
          <KeyholeMark className="size-14 text-ink" lit={lit} />
        </div>
      </Card>
      <Card
        title="The hole"
        description="On a stage, and behind the window without one."
        actions={
          <>
            <CheckBox label="On the stage" checked={staged} onCheckedChange={setStaged} />
            <Button
              size="small"
              onClick={() => {
                setLit(!lit)
                setHole({ lit: !lit })
              }}
            >
              {lit ? 'Lock' : 'Unlock'}
            </Button>
          </>
        }
      >
        {staged ? (
          <div className="relative overflow-clip rounded-card bg-band py-16">
            <HoleStage className="inset-0" />
            <HeroKeyhole lit={lit} className="relative mx-auto h-56" />
          </div>
        ) : null}
      </Card>
    </>
  )
}
