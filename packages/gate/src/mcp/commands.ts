// The commands of MCP (docs/commands.md).
export const CALL_TOOL = '/mcp/tools/call'
export const READ_RESOURCE = '/mcp/resources/read'
export const GET_PROMPT = '/mcp/prompts/get'

/** What a server has of one kind. */
export type Kind = 'tools' | 'resources' | 'templates' | 'prompts'

/** The command that uses what is listed. */
export const COMMAND_OF: Readonly<Record<Kind, string>> = {
  tools: CALL_TOOL,
  resources: READ_RESOURCE,
  templates: READ_RESOURCE,
  prompts: GET_PROMPT,
}

/** What a command calls, if that has a description. */
export function describedBy(command: string): 'tools' | 'prompts' | undefined {
  return (['tools', 'prompts'] as const).find((kind) => COMMAND_OF[kind] === command)
}
