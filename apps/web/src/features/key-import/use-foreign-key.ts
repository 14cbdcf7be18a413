import type { ForeignKey, KeyPreview, KeyType } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { type RefObject, useRef, useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { InWords } from '../../shared/words/explain-refusal.ts'
import { readKeyFile } from './read-key-file.ts'

/** A key from elsewhere that is being imported: what was typed, and what it turned out to be. */
export interface ForeignKeyInHand {
  readonly textRef: RefObject<HTMLTextAreaElement | null>
  readonly wordRef: RefObject<HTMLInputElement | null>
  /** What the key turned out to be. Undefined until it is checked, and after a change. */
  readonly preview: KeyPreview | undefined
  /** A phrase needs a path and a type. Other keys say what they are. */
  readonly isPhrase: boolean
  readonly path: string
  readonly keyType: KeyType
  readonly setPath: (path: string) => void
  readonly setKeyType: (type: KeyType) => void
  readonly looking: boolean
  readonly error: unknown
  readonly look: () => void
  readonly changed: () => void
  readonly fromFile: (file: File) => void
  /** The key in the vault's format. */
  readonly key: () => ForeignKey
}

export function useForeignKey(): ForeignKeyInHand {
  const vault = useVault()
  const textRef = useRef<HTMLTextAreaElement>(null)
  const wordRef = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState<KeyPreview>()
  const [isPhrase, setIsPhrase] = useState(false)
  const [path, setPath] = useState('')
  const [keyType, setKeyType] = useState<KeyType>('ed25519')

  const key = (): ForeignKey => {
    const text = textRef.current?.value ?? ''
    if (!isPhrase) return { text }
    const word = wordRef.current?.value ?? ''
    return {
      text,
      keyType,
      ...(path.trim() !== '' && { path: path.trim() }),
      ...(word !== '' && { mnemonicPassphrase: word }),
    }
  }
  const look = useAction(async () => {
    const given = key()
    if (given.text.trim() === '') throw new InWords(t`Paste the key or the phrase first, or choose its file.`)
    const found = await vault.keys.preview(given)
    setPreview(found)
    if (found.path !== undefined) {
      setIsPhrase(true)
      setPath(found.path)
      setKeyType(found.keyType)
    }
  })
  const changed = () => {
    look.clear()
    setPreview(undefined)
  }
  const file = useAction(async (chosen: File) => {
    const read = await readKeyFile(chosen)
    if ('problem' in read) throw new InWords(read.problem)
    if (textRef.current) textRef.current.value = read.text
    startAnew()
    look.run()
  })
  const startAnew = () => {
    changed()
    setIsPhrase(false)
    setPath('')
  }
  return {
    textRef,
    wordRef,
    preview,
    isPhrase,
    path,
    keyType,
    setPath: (next) => {
      setPath(next)
      changed()
    },
    setKeyType: (next) => {
      setKeyType(next)
      // Each type has a different default path.
      setPath('')
      changed()
    },
    looking: look.pending || file.pending,
    error: look.error ?? file.error,
    look: look.run,
    changed: startAnew,
    fromFile: file.run,
    key,
  }
}
