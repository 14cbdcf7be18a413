import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link, linkOptions, useLocation } from '@tanstack/react-router'
import { CircleCheck, Clock, CreditCard, House, Settings2, Ticket } from 'lucide-react'
import { cx } from '../cx.ts'
import { placeAt } from './navigation-place.ts'

const PLACES = [
  { place: 'home', link: linkOptions({ to: '/' }), label: msg`Home`, icon: House },
  {
    place: 'grants',
    link: linkOptions({ to: '/identity', search: { tab: 'grants' } }),
    label: msg`Grants`,
    icon: Ticket,
  },
  { place: 'payments', link: linkOptions({ to: '/payment' }), label: msg`Payments`, icon: CreditCard },
  {
    place: 'activity',
    link: linkOptions({ to: '/identity', search: { tab: 'activity' } }),
    label: msg`Activity`,
    icon: Clock,
  },
  {
    place: 'settings',
    link: linkOptions({ to: '/identity', search: { tab: 'settings' } }),
    label: msg`Settings`,
    icon: Settings2,
  },
] as const

/** The place that is shown. */
function useHere() {
  return useLocation({ select: ({ pathname, search }) => placeAt(pathname, Reflect.get(search, 'tab')) })
}

// A link is current by its place: the parts of one place have addresses of their own.
const EXACT = { exact: true, includeSearch: true } as const

const HERE = 'text-ink forced-colors:underline'
const LINE = 'shadow-[inset_0_-2px_0_var(--ink)]'

/** The five places that every page leads to. */
export function Places({ className, icons = false }: { className: string; icons?: boolean }) {
  const { i18n } = useLingui()
  const here = useHere()
  return PLACES.map(({ place, link, label, icon: Icon }) => (
    <Link
      key={place}
      {...link}
      activeOptions={EXACT}
      aria-current={place === here ? 'page' : undefined}
      className={cx(
        'flex items-center justify-center gap-1 font-medium hover:text-ink',
        className,
        place === here ? (icons ? HERE : `${HERE} ${LINE}`) : 'text-ink-soft',
      )}
    >
      {icons ? <Icon className="size-5" aria-hidden /> : null}
      {i18n._(label)}
    </Link>
  ))
}

const CHECK = linkOptions({ to: '/identity', search: { tab: 'check' } })

/** The way to check a token, from anywhere. */
export function CheckLink() {
  const { t } = useLingui()
  const isHere = useHere() === 'check'
  const label = t`Check a token`
  return (
    <Link
      {...CHECK}
      activeOptions={EXACT}
      aria-current={isHere ? 'page' : undefined}
      aria-label={label}
      title={label}
      className={cx(
        'grid size-9 shrink-0 place-items-center pointer-coarse:size-11',
        isHere ? `text-ink ${LINE}` : 'rounded-lg text-ink-soft hover:bg-sunken hover:text-ink',
      )}
    >
      <CircleCheck className="size-4.5" aria-hidden />
    </Link>
  )
}
