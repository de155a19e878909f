import { useValueName } from '../value-names.ts'

/** The values of a figure's labels, as pages name them. */
export function useLabelNames(): (labels: Record<string, string>) => string[] {
  const nameValue = useValueName()
  return (labels) => Object.entries(labels).map(([label, value]) => nameValue(label, value))
}
