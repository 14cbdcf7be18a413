/** The family of styles/typeface/typeface.css that may be shown after the first paint. */
const LATE = '"Keyhole Sans late"'

let isHere = false

/**
 * Waits for the typeface. A page shows it from its first paint, or begins in a fallback: text that is being read must not move. The browser
 * keeps to that choice for as long as the document is open, so {@link showTypeface} makes another one.
 */
export function awaitTypeface(): void {
  // Without it the fallback stays.
  document.fonts.load(`1em ${LATE}`).then(
    (faces) => {
      isHere = faces.length > 0
    },
    () => undefined,
  )
}

/** Shows the typeface if it has come. To be called when what is on the page is drawn anew, so that nothing of it moves. */
export function showTypeface(): void {
  if (isHere) document.documentElement.dataset.typeface = 'late'
}
