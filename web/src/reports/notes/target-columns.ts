import { percentOf } from '../../decimals/decimal.ts'
import type { FigureColumn } from '../table/figures.ts'

/** The columns of a report with its targets, and how much of each was reached, in per cent with one decimal. */
export function withTargets(
  columns: FigureColumn[],
  targets: readonly (string | null)[] | null,
  names: { target: string; ofTarget: string },
): FigureColumn[] {
  const all = columns.find(({ kind }) => kind === 'all')?.values
  if (targets === null || all === undefined) return columns
  const reached = targets.map((target, index) => {
    const value = all[index]
    return target === null || value == null ? null : (percentOf(value, target) ?? null)
  })
  const plain = {
    total: null,
    compared: null,
    traced: undefined,
    kind: 'target',
    wideOnly: true,
  } as const
  return [
    ...columns,
    { ...plain, part: 'figure', key: 'target', name: names.target, values: targets },
    { ...plain, part: 'share', key: 'of-target', name: names.ofTarget, values: reached },
  ]
}
