import { useElementScrollRestoration, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { focusPage, keepFocus } from './focus-keeper.ts'
import { useLanguage } from './language.ts'
import { pageTitle } from './page-title.ts'
import { scrollAsItGrows } from './scroll-keeper.ts'

/** Says where one is: the document's title, the focus on a new page's heading, the place on one that was left; and lets the focus never be lost. */
export function PagePlace() {
  const router = useRouter()
  const language = useLanguage()
  const { pathname, search } = useLocation()
  const tab: unknown = Reflect.get(search, 'tab')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language gives the same page another title
  useEffect(() => {
    document.title = pageTitle(pathname, tab)
  }, [pathname, tab, language])

  // Where this page was left, when it is gone back to.
  const left = useRef(0)
  left.current = useElementScrollRestoration({ getElement: () => globalThis.window })?.scrollY ?? 0

  useEffect(keepFocus, [])
  useEffect(() => {
    let giveUp = () => {}
    const leave = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      giveUp()
      // The first page is where the browser itself puts the reader at the top.
      if (fromLocation === undefined || !pathChanged) return
      focusPage()
      if (left.current > 0) giveUp = scrollAsItGrows(left.current)
    })
    return () => {
      leave()
      giveUp()
    }
  }, [router])
  return null
}
