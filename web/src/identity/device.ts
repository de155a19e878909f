/** Whether this is a phone or a tablet, where the app is most likely on the same device. */
export function isMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  // A tablet of Apple's says that it is a Mac, none of which can be touched.
  return (
    /Android|iPhone|iPad|iPod|Mobile/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  )
}
