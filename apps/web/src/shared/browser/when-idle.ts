/** The longest wait for a busy page to become idle, in milliseconds. */
const PATIENCE = 2000

/** Resolves once the page is idle, so that background work doesn't slow down what someone is waiting for. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: PATIENCE })
    else setTimeout(resolve)
  })
}
