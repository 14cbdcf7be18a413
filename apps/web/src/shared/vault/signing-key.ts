import type { KeyInfo } from '@keyhole/vault'

interface Keys {
  readonly keys: readonly KeyInfo[]
  readonly defaultKey?: string | undefined
}

/** The key that signs: the one that was chosen, if the account still has it, or else its default. @param chosen a key's id */
export function signingKey({ keys, defaultKey }: Keys, chosen?: string): KeyInfo | undefined {
  const find = (id: string | undefined) => keys.find(({ key_id }) => key_id === id)
  return find(chosen) ?? find(defaultKey) ?? keys[0]
}
