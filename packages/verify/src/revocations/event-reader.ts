/** A server-sent event. */
export interface ServerEvent {
  readonly type: string
  readonly data: string
  readonly id: string | undefined
}

/** Longest event, in characters. */
const LONGEST = 256 * 1_024

/** Reads the events of a response's body. @throws Error if one is too long */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let fields: [string, string][] = []
  let length = 0
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    rest += text
    if (length + rest.length > LONGEST) throw new Error('The relay sent an event that is too long.')
    if (!text.includes('\n')) continue
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (fields.length > 0) yield eventOf(fields)
        fields = []
        length = 0
        continue
      }
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      length += line.length
      if (name !== '') fields.push([name, value])
    }
  }
}

function eventOf(fields: readonly [string, string][]): ServerEvent {
  const fieldOf = (wanted: string) => fields.findLast(([name]) => name === wanted)?.[1]
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
  return { type: fieldOf('event') ?? 'message', data: data.join('\n'), id: fieldOf('id') }
}
