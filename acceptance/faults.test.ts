import { afterAll, beforeAll } from 'vitest'
import { type FaultScene, startFaultScene } from '../testing/faults/fault-scene.ts'
import { testUnforeseen } from './unforeseen-exception.ts'

let scene: FaultScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
})

testUnforeseen('exception', () => scene)
