import { extreme } from './extreme.ts'

export const min = extreme('min', -1, 'the smallest number')
