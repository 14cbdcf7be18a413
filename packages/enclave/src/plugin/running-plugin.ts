/** How a plugin is run: here, or (`worker`) in Extism's own worker. */
export interface PluginOptions {
  readonly allowedHosts: readonly string[]
  readonly worker?: boolean
}

/** A plugin that an instance runs: Extism's, or one that is called directly. */
export interface RunningPlugin {
  /** Whether there is an export of that name. */
  has(name: string): boolean
  /**
   * Calls an export. Bytes given as input are overwritten.
   *
   * @param goesOn asked between two steps of a long call; where it says no, the call is given up and there is no output
   * @returns the output as text; nothing where the plugin gave none
   * @throws Error where the plugin traps; it is in no state to go on with then
   */
  call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    goesOn?: () => Promise<boolean>,
  ): Promise<string | undefined>
  /** Another plugin of the same build, with nothing of this one's memory. */
  fresh(): Promise<RunningPlugin>
  /** Overwrites the whole linear memory and ends the plugin. It cannot be called after that, but wiped again. */
  wipe(): Promise<void>
}

/** Blocks of 1 KiB that a derivation fills before it pauses: some 20 ms. */
const BLOCKS_A_STEP = 8_192

/** The call, and its input, that has a plugin pause while it derives a key. */
export const PAUSE_DERIVATIONS = {
  name: 'pause_derivations',
  input: JSON.stringify({ blocks: BLOCKS_A_STEP }),
} as const

/** What a call answers that is not done, and is gone on with by making it again with empty input. */
const PAUSED = '{"paused":true}'

/**
 * Makes a call to its end, a step at a time.
 *
 * @param step one call of the export
 * @param goesOn asked between two steps; where it says no, there is no output
 */
export async function inSteps(
  step: (input: string | Uint8Array<ArrayBuffer>) => Promise<string | undefined> | string | undefined,
  input: string | Uint8Array<ArrayBuffer>,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<string | undefined> {
  let output = await step(input)
  while (output === PAUSED) {
    if (!(await goesOn())) return undefined
    output = await step('')
  }
  return output
}
