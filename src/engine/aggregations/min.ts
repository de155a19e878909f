import { extreme } from './extreme.ts'

export const min = extreme('min', -1, 'the smallest number', {
  en: { name: 'Smallest', field: 'Smallest of', sentence: 'Takes the smallest {{what}}' },
  sv: { name: 'Minsta', field: 'Minsta av', sentence: 'Tar minsta {{what}}' },
})
