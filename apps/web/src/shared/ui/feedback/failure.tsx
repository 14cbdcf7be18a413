import { useSyncExternalStore } from 'react'
import { explain, loadedWords } from '../../words/explain-refusal.ts'
import { Notice } from './notice.tsx'

/** What an action was refused with, in words; nothing while there is no error. */
export function Failure({ error }: { error: unknown }) {
  useSyncExternalStore(loadedWords.subscribe, loadedWords.get, loadedWords.get)
  if (error === undefined) return null
  const { title, advice } = explain(error)
  return (
    <Notice tone="bad" title={title}>
      {advice}
    </Notice>
  )
}
