/** The font family of styles/typeface/typeface.css that may appear after the first paint. */
const LATE = '"Keyhole Sans late"'

let isHere = false

/**
 * Waits for the typeface. A page uses it from the first paint or starts in a fallback, because text must not move while someone reads it.
 * The browser sticks to that choice for as long as the document is open, so {@link showTypeface} uses another font family.
 */
export function awaitTypeface(): void {
  // If it fails, the fallback stays.
  document.fonts.load(`1em ${LATE}`).then(
    (faces) => {
      isHere = faces.length > 0
    },
    () => undefined,
  )
}

/** Shows the typeface if it has loaded. Call it when the page's content is redrawn anyway, so nothing moves. */
export function showTypeface(): void {
  if (isHere) document.documentElement.dataset.typeface = 'late'
}
