import type { Trial } from './trial.ts'
export const fuzzing: Trial = { name: 'fuzzing', about: '', minutes: 1, invariants: [], run: async () => {} }
