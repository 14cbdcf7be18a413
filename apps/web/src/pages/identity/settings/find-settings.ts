/** A section, in the words that it is looked for by. */
export interface Findable<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly about: string
  readonly settings: readonly string[]
}

/** A section that was found. */
export interface FoundSection<Id extends string> {
  readonly id: Id
  /** The settings in it that fit; none where the section was found by its own words alone. */
  readonly settings: readonly string[]
}

/** The sections in which every word of a text is found, each with the settings that fit the text by themselves. */
export function findSettings<Id extends string>(
  sections: readonly Findable<Id>[],
  text: string,
): FoundSection<Id>[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const fits = (within: string) => {
    const lower = within.toLocaleLowerCase()
    return words.every((word) => lower.includes(word))
  }
  return sections.flatMap(({ id, title, about, settings }) => {
    const found = words.length === 0 ? [] : settings.filter(fits)
    return fits([title, about, ...settings].join(' ')) ? [{ id, settings: found }] : []
  })
}
