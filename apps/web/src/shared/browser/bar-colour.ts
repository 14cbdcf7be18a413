/** `--canvas` and `--band` of app/styles/tokens.css by day; at night they are one. */
export const PAPER = '#f4f2ed'
export const BAND = '#24221e'

/** Gives the browser's own bar the colour of what stands beneath it, where the day's theme is shown. */
export function colourBar(colour: typeof PAPER | typeof BAND): void {
  document.querySelector('meta[name=theme-color][media*=light]')?.setAttribute('content', colour)
}
