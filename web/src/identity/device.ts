import type { Device } from './order.ts'

/** Whether this is a phone or a tablet, where the app is most likely on the same device. */
export function isMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  // A tablet of Apple's says that it is a Mac, none of which can be touched.
  return (
    /Android|iPhone|iPad|iPod|Mobile/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  )
}

/** Where the app most likely is: an order is begun for that device. */
export function usualDevice(): Device {
  return isMobile() ? 'this' : 'other'
}
