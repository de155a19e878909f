import type { AuditDetails } from './audit-event.ts'

/** What is recorded of the deployment as a whole. Only its operator reads it. */
export const deploymentActions = [
  'backed_up',
  'restored',
  'resealed',
  'tokens_stopped',
  'tokens_resumed',
] as const
export type DeploymentAction = (typeof deploymentActions)[number]

/** A recorded act of the operator, or of the service on its own. */
export interface DeploymentEvent {
  eventId: string
  at: Date
  action: DeploymentAction
  details: AuditDetails
}
