/** How long the browser may take to begin with the file. */
const downloadMsMax = 60_000

/** Gives the browser a file to keep. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), downloadMsMax)
}
