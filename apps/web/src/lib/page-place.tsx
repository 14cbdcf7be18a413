import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusPage, keepFocus } from './focus-keeper.ts'
import { useLanguage } from './language.ts'
import { pageTitle } from './page-title.ts'

/** Says where one is: the document's title, and the focus on a new page's heading; and lets the focus never be lost. */
export function PagePlace() {
  const router = useRouter()
  const language = useLanguage()
  const { pathname, search } = useLocation()
  const tab: unknown = Reflect.get(search, 'tab')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language gives the same page another title
  useEffect(() => {
    document.title = pageTitle(pathname, tab)
  }, [pathname, tab, language])

  useEffect(keepFocus, [])
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The first page is where the browser itself puts the reader at the top.
        if (fromLocation !== undefined && pathChanged) focusPage()
      }),
    [router],
  )
  return null
}
