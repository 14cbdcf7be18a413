import { t } from '@lingui/core/macro'

/**
 * Gives the failure to load a page's script words of our own. The bundler raises `vite:preloadError` and rethrows the error
 * unless a listener handles it; this one does not. It only has to come before the router, which knows such an error by the
 * browser's words and answers it by loading the whole tab anew: that would lock the vault and lose what was typed.
 */
export function wordPreloadErrors(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    const reason = payload.message
    payload.message = t`A script of this page could not be loaded. (${reason})`
  })
}
