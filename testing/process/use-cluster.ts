import { inject } from 'vitest'
import { useCluster } from './cluster.ts'

// Runs before each file of the projects that start services.
useCluster(inject('acceptanceCluster'))
