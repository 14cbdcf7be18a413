/**
 * Whether a program needed by tests must be installed: in CI it must, unless CI said that it can't install it
 * (`.ci/run`).
 */
export function mustBeThere(program: string): boolean {
  const isKnownMissing = (process.env.KEYHOLE_WITHOUT ?? '').split(' ').includes(program)
  return process.env.CI !== undefined && !isKnownMissing
}
