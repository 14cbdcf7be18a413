export {
  type Connection,
  type ConnectionRequest,
  connect,
  connectByRedirect,
  pageHolder,
  resumeConnection,
} from './connect.ts'
export { type Connector, type ConnectorState, createConnector } from './connector.ts'
export { ConnectError, type ConnectErrorCode } from './errors.ts'
export type { CapabilityRequest, ConnectRequest, PaymentRequest } from './request.ts'
export { type ConnectOptions, requestCapability, requestPayment } from './request-window.ts'
export { requestLink, requestText } from './text.ts'
