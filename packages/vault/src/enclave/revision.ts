import * as v from 'valibot'

const sealedState = v.looseObject({ revision: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) })

/** The revision that a sealed state carries in the clear (it is authenticated at unlock); undefined where it carries none. */
export function revisionOf(enclave: string): number | undefined {
  try {
    const parsed = v.safeParse(sealedState, JSON.parse(enclave))
    return parsed.success ? parsed.output.revision : undefined
  } catch {
    return undefined
  }
}
