import { askPasskey, type UnlockMethod, type UnlockProof } from '@keyhole/vault'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { KINDS, kindsOf, type UnlockKind } from '../words/unlock-kinds.ts'
import { useMethods } from './use-methods.ts'

/** Nothing was typed where something must be. */
export class MissingUnlockProof extends Error {
  override readonly name = 'MissingProof'
}

/** A proof being entered: the kinds there are, the chosen one, and its input. */
export interface EnteredProof {
  /** The methods are still loading. */
  readonly loading: boolean
  readonly methods: readonly UnlockMethod[]
  readonly kinds: readonly UnlockKind[]
  readonly kind: UnlockKind
  readonly choose: (kind: UnlockKind) => void
  /** Whether the person chose the kind. Then the focus moves to it. */
  readonly chosen: boolean
  readonly inputRef: RefObject<HTMLInputElement | null>
  /**
   * Reads what was typed, or asks the authenticator. Cancelled when the form closes.
   * @throws MissingUnlockProof if the field is empty; VaultError as `askPasskey`
   */
  readonly take: () => Promise<UnlockProof>
  /** Empties the field after use. */
  readonly forget: () => void
  /** Focuses the field and selects its text, ready to type over. */
  readonly select: () => void
}

/** @param allowed the accepted kinds, preferred first; the same array at each render */
export function useUnlockProof(allowed: readonly UnlockKind[]): EnteredProof {
  const { methods, failed } = useMethods()
  const [chosen, setChosen] = useState<UnlockKind>()
  const inputRef = useRef<HTMLInputElement>(null)
  const closing = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    closing.current = controller
    return () => controller.abort()
  }, [])

  const kinds = kindsOf(failed === undefined ? (methods ?? []) : undefined, allowed)
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : (kinds[0] ?? 'passphrase')

  const take = async (): Promise<UnlockProof> => {
    const { typed } = KINDS[kind]
    if (typed === undefined) return { passkey: await askPasskey(methods ?? [], closing.current?.signal) }
    const text = inputRef.current?.value ?? ''
    if (text.trim() === '') throw new MissingUnlockProof(kind)
    return typed.toUnlockProof(text)
  }
  const forget = useCallback(() => {
    if (inputRef.current) inputRef.current.value = ''
  }, [])
  const select = useCallback(() => {
    inputRef.current?.focus()
    inputRef.current?.select()
  }, [])
  return {
    loading: methods === undefined && failed === undefined,
    methods: methods ?? [],
    kinds,
    kind,
    choose: setChosen,
    chosen: chosen !== undefined,
    inputRef,
    take,
    forget,
    select,
  }
}
