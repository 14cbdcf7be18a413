/** What is open of it: the palette itself, the list of shortcuts, where the vault is unlocked, the scanner, or the glossary. */
export type Shown = 'palette' | 'list' | 'unlock' | 'scan' | 'words'
