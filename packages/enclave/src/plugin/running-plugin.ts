/** How to run a plugin: here, or (`worker`) in Extism's own worker. */
export interface PluginOptions {
  readonly allowedHosts: readonly string[]
  readonly worker?: boolean
}

/** A plugin that an instance runs: Extism's, or one called directly. */
export interface RunningPlugin {
  /** Whether there is an export of that name. */
  has(name: string): boolean
  /**
   * Calls an export. Overwrites input given as bytes.
   * @param goesOn asked between steps of a long call; false cancels the call, without an output
   * @returns the output as text; undefined if the plugin gave none
   * @throws Error if the plugin traps, which makes it unusable
   */
  call(
    name: string,
    input: string | Uint8Array<ArrayBuffer>,
    goesOn?: () => Promise<boolean>,
  ): Promise<string | undefined>
  /** A new plugin of the same build, without anything from this one's memory. */
  fresh(): Promise<RunningPlugin>
  /**
   * Overwrites the whole linear memory and ends the plugin. It can't be called afterwards. Calling `wipe` again is
   * fine.
   */
  wipe(): Promise<void>
}

/** Blocks of 1 KiB that a derivation fills before it pauses, in about 20 ms. */
const BLOCKS_A_STEP = 8_192

/** The call that makes a plugin pause while it derives a key. */
export const PAUSE_DERIVATIONS = {
  name: 'pause_derivations',
  input: JSON.stringify({ blocks: BLOCKS_A_STEP }),
} as const

/** The answer of an unfinished call. Calling again with empty input continues it. */
const PAUSED = '{"paused":true}'

/**
 * Runs a call to its end, step by step.
 * @param step one call of the export
 * @param goesOn asked between steps; false ends without an output
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
