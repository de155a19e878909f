import type { Trial } from './trial.ts'
export const noisyNeighbours: Trial = { name: 'noisy-neighbours', about: '', minutes: 1, invariants: [], run: async () => {} }
