/** Whether a program that tests need must be there: in CI it must, unless CI has said that it can't install it (`.ci/run`). */
export function mustBeThere(program: string): boolean {
  const isKnownMissing = (process.env.KEYHOLE_WITHOUT ?? '').split(' ').includes(program)
  return process.env.CI !== undefined && !isKnownMissing
}
