// What `createVerifier` and `check` are given.
import { isCommand } from './command.ts'
import { isDid } from './did.ts'
import { checkOptions, FUNCTION, invalidOptions, type OptionRule, shown } from './options.ts'

/** Some time in 1973, in milliseconds since 1970: a clock that says less counts seconds. */
const EARLIEST = 1e11
const SECONDS: OptionRule = {
  isRight: (value) => Number.isInteger(value) && Number(value) >= 0,
  must: 'whole seconds, 0 or more',
}
const CHECKER: OptionRule = { isRight: (value) => has(value, 'call'), must: 'an enclave' }

/** The DIDs are checked by themselves. */
const VERIFIER: Readonly<Record<string, OptionRule>> = {
  subject: { isRight: () => true, must: "the owner's DID, such as did:key:z6Mk…", isRequired: true },
  audience: { isRight: () => true, must: '' },
  replay: {
    isRight: (value) => has(value, 'claim'),
    must: "an open store of used calls, such as embeddedClaims('./claims')",
    isRequired: true,
  },
  revocations: {
    isRight: (value) => has(value, 'find'),
    must: "an open source of revocations, such as embeddedRevocations('./revocations')",
    isRequired: true,
  },
  skew: SECONDS,
  longest: SECONDS,
  enclave: CHECKER,
  module: {
    isRight: (value) => value instanceof WebAssembly.Module,
    must: 'a compiled plugin, such as await compileEnclave()',
  },
  strangers: CHECKER,
  clock: {
    isRight: (value) => typeof value === 'function' && value() > EARLIEST,
    must: 'a function that returns milliseconds since 1970, such as Date.now',
  },
}

/**
 * Checks the options of a verifier.
 * @returns the owners' DIDs, and the one that calls are addressed to
 * @throws VerifyError INVALID_OPTIONS
 */
export function readVerifierOptions(options: unknown): {
  readonly subjects: readonly string[]
  readonly audience: string
} {
  checkOptions('options', options, VERIFIER, "{ subject: 'did:key:z6Mk…', replay, revocations }")
  const { subject, audience, enclave, module }: Record<string, unknown> = Object(options)
  if (enclave && module) invalidOptions('Set `enclave` or `module`, not both.')
  const subjects = (Array.isArray(subject) ? subject : [subject]).map((did: unknown) =>
    readDid('subject', did),
  )
  const [only, ...others] = subjects
  if (only === undefined) return invalidOptions('`subject` must have at least one DID.')
  if (audience !== undefined) return { subjects, audience: readDid('audience', audience) }
  if (others.length > 0)
    invalidOptions('`audience` must be the DID that calls are addressed to, because `subject` has several.')
  return { subjects, audience: only }
}

function readDid(name: string, did: unknown): string {
  return isDid(did)
    ? did
    : invalidOptions(`\`${name}\` must be a DID, such as did:key:z6Mk…. ${shown(did)} is none.`)
}

const EXPECTED: Readonly<Record<string, OptionRule>> = {
  command: { isRight: isCommand, must: 'a UCAN command, such as /notes/read' },
  compare: FUNCTION,
}

/**
 * Checks what a call is expected to be. What is misspelt would be expected of no call, and each would be authorized.
 * @throws VerifyError INVALID_OPTIONS
 */
export function checkExpected(expected: unknown): void {
  checkOptions('expected', expected, EXPECTED, "{ command: '/notes/read' }")
  const { command }: Record<string, unknown> = Object(expected)
  if (command === undefined && 'command' in Object(expected))
    invalidOptions('`command` must be a UCAN command, such as /notes/read. Leave it out to accept any.')
}

function has(value: unknown, method: string): boolean {
  return typeof Object(value)[method] === 'function'
}
