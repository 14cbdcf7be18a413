/** `--canvas` and `--band` of app/styles/tokens.css in light mode. In dark mode they are the same. */
export const PAPER = '#f4f2ed'
export const BAND = '#24221e'

/** Gives the browser's own bar the colour of the page below it, in light mode. */
export function colourBar(colour: typeof PAPER | typeof BAND): void {
  document.querySelector('meta[name=theme-color][media*=light]')?.setAttribute('content', colour)
}
