export {
  configSchema,
  type GateConfig,
  readConfig,
  type ServerConfig,
  type ServiceConfig,
} from './config/config.ts'
export { type CallRefusalName, CallRefused, GateError, type GateErrorCode } from './errors.ts'
export { type Gate, type GateOptions, gateFolder, LOG, openGate, type Revoked, revokeAt } from './gate.ts'
export { type OpenRequest, type OpenRequests, openRequests } from './grants/open-requests.ts'
export { type GateListener, type ListenOptions, listen, listenForMetrics, type Place } from './http/listen.ts'
export { openRemoteServer, type RemoteGate, type RemoteServer, readRemoteGate } from './http/remote-server.ts'
export type { Introduced, IntroduceOptions } from './introduction/introduce.ts'
export type { OwnerAnswer } from './introduction/owner-answer.ts'
export { type LoggedIn, type LogInOptions, logIn } from './login/log-in.ts'
export { type AgentOptions, agentServer } from './mcp/agent-server.ts'
export { CALL_TOOL, GET_PROMPT, type Kind, READ_RESOURCE } from './mcp/commands.ts'
export type { GateServer } from './mcp/gate-server.ts'
export { GrantNeeded } from './mcp/grant-needed.ts'
export type { GuardedServer, ToolState } from './mcp/guarded-server.ts'
export { type JoinedServers, joinServers } from './mcp/joined-servers.ts'
export {
  approvalsIn,
  type HeldApproval,
  type SignedCalls,
  signCalls,
  signForAnyOwner,
} from './mcp/signed-calls.ts'
export { type Entry, readLog } from './receipts/read-log.ts'
export type { Kept } from './revocations/folder-revocations.ts'
export type { ServiceAnswer } from './services/answer.ts'
export type { GuardedService } from './services/guarded-service.ts'
export { ANSWERED_BY } from './services/service-endpoint.ts'
export { type Upload, uploadIn } from './services/upload.ts'
