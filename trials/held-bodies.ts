import type { Trial } from './trial.ts'
export const heldBodies: Trial = { name: 'held-bodies', about: '', minutes: 1, invariants: [], run: async () => {} }
