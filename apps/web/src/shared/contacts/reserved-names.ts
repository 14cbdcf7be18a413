/**
 * What Keyhole calls people and keys. No contact may be mistaken for one of these in a sentence. All languages at once, because a name
 * outlives the choice of a language.
 */
export const RESERVED: readonly string[] = [
  ...['you', 'yourself', 'your vault', 'this vault', 'your key', 'another key of yours', 'me', 'myself'],
  ...['anyone', 'anybody', 'everyone', 'nobody', 'no one', 'unknown', 'unknown key', 'key', 'Keyhole'],
  ...['du', 'dich', 'dir', 'dich selbst', 'dir selbst', 'dein Tresor', 'dieser Tresor', 'dein Schlüssel'],
  ...['ein weiterer Schlüssel von dir', 'ich', 'mich', 'mir', 'jeder', 'alle', 'niemand'],
  ...['unbekannt', 'unbekannter Schlüssel', 'Schlüssel'],
]
