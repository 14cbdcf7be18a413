/** A recovery code as it is compared: no case, spaces or hyphens; O is 0, and I and L are 1. */
export function bareCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Whether two texts are one recovery code. */
export function sameCode(a: string, b: string): boolean {
  return bareCode(a) !== '' && bareCode(a) === bareCode(b)
}
