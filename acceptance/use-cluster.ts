import { inject } from 'vitest'
import { useCluster } from './service.ts'

// For the services that a file starts; before each file of the acceptance project.
useCluster(inject('acceptanceCluster'))
