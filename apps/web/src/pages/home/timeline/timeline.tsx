import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight, LocateFixed } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { moment } from '../../../shared/words/when.ts'
import { partiesIn } from './parties.ts'
import type { HomeSearch, SpanName } from './search-params.ts'
import { SPANS } from './search-params.ts'
import { evenTicks, type Tick, wholeTicks } from './ticks.ts'
import {
  bar,
  evenScale,
  type Stretch,
  spanLength,
  spanStart,
  type TimeScale,
  wholeScale,
} from './time-scale.ts'
import { TimelineRow } from './timeline-row.tsx'

interface TimelineProps {
  /** Live grants, the next to end first. */
  tokens: readonly ListedToken[]
  now: number
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
  /** Where the focus goes once the last grant is revoked. */
  onEmpty: () => HTMLElement | null
}

/** How far one step goes, as a part of the stretch in sight. */
const STEP = 1 / 2

/**
 * Live grants as bars from their start to their end, on a scale of time that can be chosen and moved. Each holder's grants are together:
 * first those of the holder whose grant is the next to end.
 */
export function Timeline({ tokens, now, search, onSearchChange, onEmpty }: TimelineProps) {
  const { t } = useLingui()
  const place = useRef<HTMLElement>(null)
  const span = search.span ?? 'all'
  const contacts = useContacts()
  const parties = useMemo(
    () => partiesIn(tokens, ({ audienceDid }) => audienceDid, contacts),
    [tokens, contacts],
  )
  const stretches = useMemo(() => tokens.map(stretchOf), [tokens])
  const scale: TimeScale =
    span === 'all' ? wholeScale(stretches, now) : evenScale(span, search.from ?? spanStart(span, now))
  const ticks = span === 'all' ? wholeTicks(scale, now) : evenTicks(span, scale)
  const present = scale.place(now)

  const move = (direction: -1 | 1) => {
    if (span === 'all') return
    const from = Math.round(scale.start + direction * STEP * spanLength(span))
    onSearchChange({ ...search, from })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || span === 'all') return
    if (event.key === 'ArrowLeft') move(-1)
    else if (event.key === 'ArrowRight') move(1)
    else return
    event.preventDefault()
  }
  const [begins, ends] = [moment(scale.start), moment(scale.end)]
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SpanChoice
          span={span}
          onSpanChange={(next) => onSearchChange({ ...search, span: next, from: undefined })}
        />
        {span === 'all' ? null : (
          <fieldset className="flex scant:flex-wrap gap-1" aria-label={t`Move in time`}>
            <Button size="small" tone="bare" aria-label={t`Earlier`} onClick={() => move(-1)}>
              <ChevronLeft className="size-4" aria-hidden />
            </Button>
            <Button
              size="small"
              tone="bare"
              onClick={() => onSearchChange({ ...search, from: undefined })}
              icon={<LocateFixed className="size-4" aria-hidden />}
            >
              <Trans>Now</Trans>
            </Button>
            <Button size="small" tone="bare" aria-label={t`Later`} onClick={() => move(1)}>
              <ChevronRight className="size-4" aria-hidden />
            </Button>
          </fieldset>
        )}
      </div>
      <p className="sr-only" role="status">
        <Trans>
          Shown: from {begins} to {ends}.
        </Trans>
      </p>
      <section
        ref={place}
        tabIndex={span === 'all' ? -1 : 0}
        aria-label={
          span === 'all'
            ? t`Timeline of active grants`
            : t`Timeline of active grants. Use the arrow keys to move in time.`
        }
        onKeyDown={onKeyDown}
        className="rounded-control"
      >
        <Axis ticks={ticks} present={present} named={span === 'all'} />
        <ol className="flex flex-col">
          {parties.map(({ id, dids: [did], tokens: held }) => (
            <li key={id} className="border-line border-t pt-2 first:border-t-0">
              <div className="font-medium text-sm">
                <ContactName did={did} what={t`the holder’s DID`} own={t`This vault`} />
              </div>
              <ol className="flex flex-col">
                {held.map((token) => (
                  <TimelineRow
                    key={token.id}
                    token={token}
                    now={now}
                    present={present}
                    leadsTo={() => (tokens.length > 1 ? place.current : onEmpty())}
                    bar={bar(stretchOf(token), scale, now)}
                  />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

/** From when until when a grant can be used. */
function stretchOf({ notBefore, createdAt, expiresAt }: ListedToken): Stretch {
  return { from: notBefore ?? createdAt, until: expiresAt }
}

function SpanChoice({ span, onSpanChange }: { span: SpanName; onSpanChange: (span: SpanName) => void }) {
  const { t } = useLingui()
  const words: Record<SpanName, string> = {
    all: t`All`,
    day: t`Day`,
    week: t`Week`,
    month: t`Month`,
    year: t`Year`,
  }
  return (
    <fieldset className="flex flex-wrap gap-1" aria-label={t`How much time is shown`}>
      {SPANS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === span}
          onClick={() => onSpanChange(each)}
          className="min-h-8 pointer-coarse:min-h-11 pointer-coarse:min-w-11 rounded-lg px-2.5 font-medium text-ink-soft text-sm hover:bg-sunken aria-pressed:bg-ink aria-pressed:text-ink-inverse forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
        >
          {words[each]}
        </button>
      ))}
    </fieldset>
  )
}

interface AxisProps {
  ticks: readonly Tick[]
  present: number
  /** Whether "now" is one of the ticks. */
  named: boolean
}

/** The marks of time above the bars. Each bar's own words say the same to who cannot see it. */
function Axis({ ticks, present, named }: AxisProps) {
  return (
    <div aria-hidden="true">
      <div className="relative h-6 border-line border-b text-ink-faint text-xs">
        {ticks.map(({ at, words }) => (
          <span
            key={at}
            className="absolute bottom-0 whitespace-nowrap border-line-strong border-l pl-1"
            style={{ left: `${at}%` }}
          >
            {words}
          </span>
        ))}
        {!named && present >= 0 && present <= 100 ? (
          <span
            className="absolute -bottom-px h-1.5 w-1.5 -translate-x-1/2 rotate-45 bg-bad-fill forced-colors:bg-[Highlight]"
            style={{ left: `${present}%` }}
          />
        ) : null}
      </div>
    </div>
  )
}
