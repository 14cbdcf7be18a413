declare module 'virtual:catalogues' {
  /** By its tag, what reads each language when it is wanted, all of it at once. Made by `build/catalogues.ts`. */
  export const CATALOGUES: Readonly<
    Record<string, () => Promise<{ readonly messages: Record<string, string> }>>
  >
}
