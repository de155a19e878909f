import { appActs } from './app-acts.ts'
import { connectionActs } from './connection-acts.ts'
import type { DemoAct } from './demo-scene.ts'
import { memberActs } from './member-acts.ts'

/** What people and apps do while the demo is made. Of acts of one time those of members come first. */
export function demoActs(today: Temporal.PlainDate): DemoAct[] {
  return [...memberActs(today), ...connectionActs(today), ...appActs()]
}
