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
