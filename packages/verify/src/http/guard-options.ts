// What a guard is made with.
import { isCommand } from '../command.ts'
import { checkOptions, FUNCTION, invalidOptions, type OptionRule } from '../options.ts'

const HELP: Readonly<Record<string, OptionRule>> = {
  vault: { isRight: isWebAddress, must: "the owner's vault, such as https://vault.example" },
  reason: {
    isRight: (value) => typeof value === 'string' && [...value].length <= 300,
    must: 'a text of at most 300 characters',
  },
  onError: FUNCTION,
}

const GUARD: Readonly<Record<string, OptionRule>> = {
  command: {
    isRight: (value) => typeof value === 'function' || isCommand(value),
    must: 'a UCAN command, such as /notes/read, or a function that gets it from the request',
    isRequired: true,
  },
  policy: FUNCTION,
  compare: FUNCTION,
  address: FUNCTION,
  ...HELP,
}

const FORWARD_AUTH: Readonly<Record<string, OptionRule>> = {
  service: {
    isRight: (value) => typeof value === 'string' && value !== '',
    must: 'the name that grants use for the service, such as notes',
    isRequired: true,
  },
  ...HELP,
}

/**
 * Checks what a guard is made with when the service starts: otherwise it would refuse every call.
 * @throws VerifyError INVALID_OPTIONS
 */
export function checkGuard(verifier: unknown, options: unknown): void {
  checkVerifier(verifier)
  checkOptions('options', options, GUARD, "{ command: '/notes/read' }")
}

/** The same for `forwardAuth`. @throws VerifyError INVALID_OPTIONS */
export function checkForwardAuth(verifier: unknown, options: unknown): void {
  checkVerifier(verifier)
  checkOptions('options', options, FORWARD_AUTH, "{ service: 'notes' }")
}

/** The same for `revocations`. @throws VerifyError INVALID_OPTIONS */
export function checkRevocations(verifier: unknown, options: unknown): void {
  checkVerifier(verifier)
  checkOptions('options', options, { onError: FUNCTION, address: FUNCTION }, '{ onError }')
}

function checkVerifier(verifier: unknown): void {
  const { check, then } = Object(verifier)
  if (typeof then === 'function') invalidOptions('Await `createVerifier`: a guard takes what it resolves to.')
  if (typeof check !== 'function')
    invalidOptions('`verifier` must be what `await createVerifier(…)` returns.')
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
