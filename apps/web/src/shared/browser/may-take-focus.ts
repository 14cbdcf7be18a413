const OPEN = '[role="dialog"]:not([data-closed]), [role="alertdialog"]:not([data-closed])'

/**
 * Whether something that appears on a page may take the focus. Not from an open dialog, and not from a field: a passphrase that is being typed
 * there would go on in another one, for all to read.
 */
export function mayTakeFocus(): boolean {
  if (document.querySelector(OPEN)) return false
  const field = document.activeElement?.closest('input, textarea, select, [contenteditable]')
  return !field || field.closest('[data-closed]') !== null
}
