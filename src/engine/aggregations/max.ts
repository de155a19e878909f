import { extreme } from './extreme.ts'

export const max = extreme('max', 1, 'the largest number', {
  en: { name: 'Largest', field: 'Largest of', sentence: 'Takes the largest {{what}}' },
  sv: { name: 'Största', field: 'Största av', sentence: 'Tar största {{what}}' },
})
