import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { DurationMetric } from './duration-metric.ts'

test('durations are told as a Prometheus histogram, by route, method and status', async () => {
  const registry = new Registry()
  const figure = new DurationMetric('http_seconds', 'Time', [0.1, 1], registry)
  figure.observe('/v1/samples', 'GET', 200, 0.1)
  figure.observe('/v1/samples', 'GET', 200, 0.5)
  figure.observe('/v1/samples', 'GET', 200, 30)
  figure.observe('/v1/samples', 'GET', 404, 0.01)
  const text = await registry.metrics()
  const labels = 'route="/v1/samples",method="GET",status="200"'
  expect(text).toContain('# TYPE http_seconds histogram')
  expect(text).toContain(`http_seconds_bucket{${labels},le="0.1"} 1\n`)
  expect(text).toContain(`http_seconds_bucket{${labels},le="1"} 2\n`)
  expect(text).toContain(`http_seconds_bucket{${labels},le="+Inf"} 3\n`)
  expect(text).toContain(`http_seconds_sum{${labels}} 30.6\n`)
  expect(text).toContain(`http_seconds_count{${labels}} 3\n`)
  expect(text).toContain('http_seconds_count{route="/v1/samples",method="GET",status="404"} 1')
})
