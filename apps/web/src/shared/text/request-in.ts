/** How a text request starts, alone or at the end of a link. */
export const BEGIN = 'keyhole-request-1.'

const REQUEST = /keyhole-request-1\.[\w-]+$/

/**
 * Finds the request in what was pasted or opened, without the link around it and without white space.
 * @returns undefined if there is none
 */
export function requestIn(text: string): string | undefined {
  return REQUEST.exec(text.replace(/\s/g, ''))?.[0]
}
