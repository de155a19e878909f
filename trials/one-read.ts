import type { Trial } from './trial.ts'
export const oneRead: Trial = { name: 'one-read', about: '', minutes: 1, invariants: [], run: async () => {} }
