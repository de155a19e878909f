/** The metrics that samples may be of. No other can be declared [fold.known]. */
export interface KnownMetric {
  key: string
  name: string
  unit: string
}

export const knownMetrics: readonly KnownMetric[] = [
  { key: 'active_users', name: 'Active users', unit: 'count' },
  { key: 'revenue', name: 'Revenue', unit: 'SEK' },
]
