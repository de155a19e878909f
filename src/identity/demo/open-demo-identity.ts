import type { ElectronicIdentity } from '../identity-provider.ts'
import { createDemoProvider, type DemoContext } from './demo-provider.ts'

/** The demo's electronic identity, which signs people in and lets them sign. */
export function openDemoIdentity(context: DemoContext): ElectronicIdentity {
  const provider = createDemoProvider(context)
  return { demo: true, signIn: provider, signing: provider, [Symbol.asyncDispose]: async () => {} }
}
