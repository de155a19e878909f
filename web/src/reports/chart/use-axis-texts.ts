import { useMemo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { padDecimals } from '../../decimals/decimal.ts'
import { useTexts } from '../../language/language.ts'
import { useNames } from '../names.ts'
import { getMagnitude, movePoint, type Scale } from '../scale.ts'

/** With more digits an axis counts in thousands or millions, to stay narrow. */
const digitsMax = { wide: 7, narrow: 4 }

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The texts at the ticks of an axis, and its unit: `SEK`, `SEK m`, or without a name for the power `SEK ×10¹⁵`. */
export function useAxisTexts(scale: Scale, unit: string, isNarrow: boolean) {
  const t = useTexts('reports')
  const format = useFormat()
  const named = useNames().unit(unit)
  return useMemo(() => {
    const values = scale.ticks.map(({ value }) => value)
    const digits = Math.max(...values.map((value) => getMagnitude(value) ?? 0))
    if (digits <= digitsMax[isNarrow ? 'narrow' : 'wide']) {
      return { unit: named, texts: values.map(format.number) }
    }
    const power = Math.floor((digits - 1) / 3) * 3
    const moved = values.map((value) => movePoint(value, -power))
    const decimals = Math.max(...moved.map((value) => value.split('.')[1]?.length ?? 0))
    const texts = moved.map((value) => format.number(padDecimals(value, decimals)))
    if (power === 3 || power === 6 || power === 9) return { unit: t(`axis.${power}`, { unit: named }), texts }
    const raised = String(power).replaceAll(/\d/g, (digit) => superscripts[Number(digit)]!)
    return { unit: `${named} ×10${raised}`, texts }
  }, [scale, named, isNarrow, format, t])
}
