// Names of parameters that servers read differently.

/** Names by which some servers take another method than the request's: `_method` of Rails, Laravel and Symfony, and the like. PHP takes a dot or bracket for the line below. */
const METHOD = /^\s*(?:[._[](?:http)?method|x-http-method(?:-override)?)(?![\p{L}\p{N}_-])/iu

/** Whether all servers find the same in these parameters: none stands for the method, and none can be taken for another one. */
export function areClear(names: readonly string[]): boolean {
  /** Plain names, and what comes before their brackets: `created[from]` and `created[to]` are two fields of one, `created` beside them is another. */
  const seen = new Set<string>()
  const bracketed = new Set<string>()
  return names.every((name) => {
    const plain = plainOf(name)
    const base = plain.replace(/\[.*$/s, '')
    const isBracketed = plain !== base
    const isNew = !seen.has(plain) && !seen.has(base) && (isBracketed || !bracketed.has(base))
    seen.add(plain)
    if (isBracketed) bracketed.add(base)
    return isNew && !METHOD.test(name)
  })
}

/** A name without what some servers pass over: capitals, other Unicode forms, and signs. A name of signs alone stays as it is. */
function plainOf(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}[\]]/gu, '')
  return plain === '' ? name : plain
}
