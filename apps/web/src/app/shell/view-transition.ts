/**
 * Ignores a view transition that was overtaken. A navigation that comes while another is still animating skips the first transition. Its
 * `ready` then rejects, and the router, which only waits for the update, leaves that unhandled.
 *
 * Skips each transition for a person who asked for less motion: they would see nothing of it, and the browser draws both pages once more.
 */
export function settleSkippedTransitions(): void {
  if (typeof document.startViewTransition !== 'function') return
  const start = document.startViewTransition.bind(document)
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  document.startViewTransition = (update) => {
    const transition = start(update)
    transition.ready.catch(() => undefined)
    if (still.matches) transition.skipTransition()
    return transition
  }
}
