import { type ParsedLocation, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusPage, keepFocus } from '../../shared/browser/focus-memory.ts'
import { useLanguage } from '../../shared/language/use-language.ts'
import { placeAt } from '../../shared/ui/layout/navigation-place.ts'
import { showTypeface } from '../shell/typeface.ts'
import { pageTitle } from './page-title.ts'
import { scrollAsItGrows } from './scroll-memory.ts'

/** What distinguishes one visit of a page from another. */
const visitOf = ({ state, href }: ParsedLocation): string => state.__TSR_key ?? href

const placeOf = ({ pathname, search }: ParsedLocation) => placeAt(pathname, Reflect.get(search, 'tab'))

/** Sets the document's title, focuses a new page's heading, restores the scroll position, and keeps the focus from getting lost. */
export function PagePlace() {
  const router = useRouter()
  const language = useLanguage()
  const { pathname, search } = useLocation()
  const tab: unknown = Reflect.get(search, 'request') === 1 ? 'request' : Reflect.get(search, 'tab')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title depends on the language
  useEffect(() => {
    document.title = pageTitle(pathname, tab)
  }, [pathname, tab, language])

  useEffect(keepFocus, [])
  useEffect(() => {
    let giveUp = () => {}
    // Record the scroll position at the moment of leaving. The router records it now and then while scrolling and misses the last change.
    const left = new Map<string, number>()
    const depart = router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      if (fromLocation) left.set(visitOf(fromLocation), scrollY)
    })
    const arrive = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      giveUp()
      // On the first page the browser itself starts at the top, and nothing that was drawn moves.
      if (fromLocation === undefined) return
      showTypeface()
      if (!pathChanged && placeOf(fromLocation) === placeOf(toLocation)) return
      focusPage()
      const y = left.get(visitOf(toLocation)) ?? 0
      if (y > 0) giveUp = scrollAsItGrows(y)
    })
    return () => {
      depart()
      arrive()
      giveUp()
    }
  }, [router])
  return null
}
