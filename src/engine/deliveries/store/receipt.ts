import type { Delivers } from '../../declarations/declaration.ts'

/** What a receipt says about a delivery. All of it is stored, so that a replay gives the same bytes. */
interface ReceiptFacts {
  artifactId: string
  shapeVersion: number
  sandbox: boolean
  droppedKeys: readonly string[]
  delivers: Delivers
}

/** The body of a 202, with its six members in the specification's order. */
export function writeReceipt(facts: ReceiptFacts): string {
  const { artifactId, shapeVersion, sandbox, droppedKeys, delivers } = facts
  const dropped = droppedKeys.length === 0 ? '[]' : JSON.stringify(droppedKeys)
  return (
    `{"artifact_id":"${artifactId}","shape_version":${shapeVersion},"status":"queued",` +
    `"sandbox":${sandbox},"dropped_keys":${dropped},"delivers":"${delivers}"}`
  )
}
