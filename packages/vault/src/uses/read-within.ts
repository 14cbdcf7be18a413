/** The text of an answer; undefined if it is longer. Reads no more than a piece beyond that. @throws as `fetch` does */
export async function readWithin({ body }: Response, most: number): Promise<string | undefined> {
  const reader = body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.length
    if (length > most) {
      await reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(piece.value, { stream: true })
  }
  return text + decoder.decode()
}
