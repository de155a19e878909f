import { test } from 'vitest'
import { startWorkers } from '../engine/parsing/worker/start-workers.ts'
import {
  expectReadsOn,
  openUnansweringScene,
  testUnansweringDatabase,
} from '../../testing/in-process/unanswering-database.ts'

// With the deadlines of a deployment.

testUnansweringDatabase(1)

test.concurrent(
  'the threads of readers whose connections went deaf get others, and read on',
  async ({ expect }) => {
    await using scene = await openUnansweringScene(1)
    await using stack = new AsyncDisposableStack()
    stack.use(await startWorkers(scene.context))
    await expectReadsOn(scene, expect)
  },
  90_000,
)
