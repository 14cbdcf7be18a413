/** What is open of it: the palette itself, the list of shortcuts, where the vault is unlocked, or the scanner. */
export type Shown = 'palette' | 'list' | 'unlock' | 'scan'
