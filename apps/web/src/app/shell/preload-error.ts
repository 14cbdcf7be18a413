import { t } from '@lingui/core/macro'

/**
 * Gives a failed page script our own error message. The bundler raises `vite:preloadError` and rethrows the error unless a listener handles
 * it; this one doesn't. It must run before the router, which recognises the browser's message and would reload the whole tab. That would
 * lock the vault and lose what was typed.
 */
export function wordPreloadErrors(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = t`Part of this page didn’t load. Check your connection and reload.`
  })
}
