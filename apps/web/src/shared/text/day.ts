/** The day of a moment in the format of a date field, in the reader's time zone. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first moment of a day. Undefined for an invalid one. */
export function dayStart(day: string): number | undefined {
  const ms = new Date(`${day}T00:00`).getTime()
  return Number.isNaN(ms) ? undefined : ms
}

/** The midnight after a day. Not 24 hours later: some days have 23 or 25. */
export function dayEnd(day: string): number | undefined {
  const start = dayStart(day)
  if (start === undefined) return undefined
  const date = new Date(start)
  date.setDate(date.getDate() + 1)
  return date.getTime()
}
