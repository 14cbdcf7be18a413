/** The sections of the settings, by their names in the address, in the order that the page has them. */
export const SECTION_IDS = [
  'overview',
  'keys',
  'unlock',
  'backup',
  'devices',
  'sessions',
  'accounts',
  'look',
  'about',
] as const
export type SectionId = (typeof SECTION_IDS)[number]

/** The section that an address opens: none for the settings as a whole, the account for the bare address of the page. */
export function sectionOf(tab: string | undefined): SectionId | undefined {
  if (tab === undefined) return 'overview'
  return SECTION_IDS.find((id) => id === tab)
}
