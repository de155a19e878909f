import type { Trial } from './trial.ts'
export const fullDisk: Trial = { name: 'full-disk', about: '', minutes: 1, invariants: [], run: async () => {} }
