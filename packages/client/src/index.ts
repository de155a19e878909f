export type { NumeraApi } from './api-types.ts'
export type { Identity } from './credentials.ts'
export { Decimal } from './decimal.ts'
export type {
  CheckReport,
  DeliveryHandle,
  DeliveryPage,
  DeliveryQuery,
  DeliveryReport,
} from './delivery-handle.ts'
export * from './errors.ts'
export type { FileInput } from './files.ts'
export { InvalidKey, keyCharactersMax, keyFor, type KeyPart } from './key.ts'
export { type Company, type DeclaredSource, Numera, type NumeraOptions, type Source } from './numera.ts'
export type { FilePart, PartReceipt, PushFileOptions } from './push-file.ts'
export type { Receipt } from './receipt.ts'
export { BrokenFile } from './records.ts'
export { deliveryBytesMax, InvalidRow, type Row, type Rows, type Value } from './rows.ts'
export type { Sample, SampleQuery } from './samples.ts'
export type { CheckOptions, PushOptions, Scope } from './scope.ts'
export { isDeliveryId, type SignatureFault, signDelivery, verifyDelivery } from './sign.ts'
export type { Trace, TracedDelivery, TraceQuery } from './trace.ts'
export type { Clock } from './transport.ts'
export { sendWebhook, type WebhookOptions } from './webhooks.ts'
