import { useNames } from '../names.ts'

/** The values of a figure's labels, as pages name them. */
export function useLabelNames(): (labels: Record<string, string>) => string[] {
  const names = useNames()
  return (labels) => Object.entries(labels).map(([label, value]) => names.value(label, value))
}
