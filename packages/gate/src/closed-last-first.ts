/** What was opened, and is closed together. */
export interface Opened {
  /** Remembers to close something. @returns it */
  add<Part extends { close(): unknown }>(part: Part): Part
  /** Closes everything that was added, the last one first, also if one fails. @throws what the first one that failed threw */
  close(): Promise<void>
}

/** Nothing yet. */
export function closedLastFirst(): Opened {
  const parts: { close(): unknown }[] = []
  return {
    add(part) {
      parts.push(part)
      return part
    },
    async close() {
      const failures: unknown[] = []
      for (const part of parts.splice(0).reverse()) {
        try {
          await part.close()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
