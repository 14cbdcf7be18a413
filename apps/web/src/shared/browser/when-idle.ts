/** Nothing waits longer than this for a busy page to come to rest, in milliseconds. */
const PATIENCE = 2000

/** Resolves once the page has nothing more urgent to do, so that what nobody waits for takes no time from what somebody does. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE })
    else setTimeout(resolve)
  })
}
