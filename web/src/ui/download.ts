/** The browser must have started the download by then, in milliseconds. */
const downloadMsMax = 60_000

/** Saves a file on the person's device. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), downloadMsMax)
}
