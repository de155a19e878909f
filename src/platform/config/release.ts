import packageFile from '../../../package.json' with { type: 'json' }

/** The release that this process is of, such as `0.2.0`. */
export const release = packageFile.version

const inOrder = new Intl.Collator('en', { numeric: true })

/** Whether one release is before another: `0.9.0` is before `0.10.0`. */
export function isOlderRelease(one: string, other: string): boolean {
  return inOrder.compare(one, other) < 0
}
