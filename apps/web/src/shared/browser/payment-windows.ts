/** Whether a site can open Keyhole through this browser to be paid (Payment Handler API). Safari has payment requests, but no handlers. */
export const opensPaymentWindows = (): boolean =>
  'PaymentRequest' in globalThis && 'PaymentManager' in globalThis
