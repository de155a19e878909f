import { extreme } from './extreme.ts'

export const max = extreme('max', 1, 'the largest number')
