import * as v from 'valibot'

const sealedState = v.looseObject({ revision: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) })

/** The revision a sealed state shows unsealed (unlocking authenticates it); undefined if there is none. */
export function revisionOf(enclave: string): number | undefined {
  try {
    const parsed = v.safeParse(sealedState, JSON.parse(enclave))
    return parsed.success ? parsed.output.revision : undefined
  } catch {
    return undefined
  }
}

const sealedKeys = v.looseObject({ keys: v.array(v.looseObject({ sealed: v.string() })) })

/** Whether the data key was replaced between two sealed states, which seals every private key again. */
export function isResealed(before: string, after: string): boolean {
  return sealOf(before) !== sealOf(after)
}

/** The first private key's seal, which changes only with the data key. */
function sealOf(enclave: string): string | undefined {
  try {
    return v.parse(sealedKeys, JSON.parse(enclave)).keys[0]?.sealed
  } catch {
    return undefined
  }
}
