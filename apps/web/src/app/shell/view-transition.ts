/**
 * Ignores a view transition that was overtaken. A navigation that comes while another is still animating skips the first transition. Its
 * `ready` then rejects, and the router, which only waits for the update, leaves that unhandled.
 */
export function settleSkippedTransitions(): void {
  if (typeof document.startViewTransition !== 'function') return
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    const transition = start(update)
    transition.ready.catch(() => undefined)
    return transition
  }
}
