import { type ParsedLocation, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusPage, keepFocus } from '../../shared/browser/focus-memory.ts'
import { useLanguage } from '../../shared/language/use-language.ts'
import { showTypeface } from '../shell/typeface.ts'
import { pageTitle } from './page-title.ts'
import { scrollAsItGrows } from './scroll-memory.ts'

/** What tells one visit of a page from another. */
const visitOf = ({ state, href }: ParsedLocation): string => state.__TSR_key ?? href

/** Says where one is: the document's title, the focus on a new page's heading, the place on one that was left; and lets the focus never be lost. */
export function PagePlace() {
  const router = useRouter()
  const language = useLanguage()
  const { pathname, search } = useLocation()
  const tab: unknown = Reflect.get(search, 'request') === 1 ? 'request' : Reflect.get(search, 'tab')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language gives the same page another title
  useEffect(() => {
    document.title = pageTitle(pathname, tab)
  }, [pathname, tab, language])

  useEffect(keepFocus, [])
  useEffect(() => {
    let giveUp = () => {}
    // Where each visit was left, at the moment that it was: the router notes it now and then while one scrolls, and misses the last.
    const left = new Map<string, number>()
    const depart = router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      if (fromLocation) left.set(visitOf(fromLocation), scrollY)
    })
    const arrive = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      giveUp()
      showTypeface()
      // The first page is where the browser itself puts the reader at the top.
      if (fromLocation === undefined || !pathChanged) return
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
