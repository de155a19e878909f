import type { Device } from './order.ts'

/** Whether this is a phone or a tablet. */
export function isMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  // Apple's tablets claim to be Macs, which have no touch screen.
  return (
    /Android|iPhone|iPad|iPod|Mobile/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  )
}

/** Where the app most likely is: an order is started for that device. */
export function usualDevice(): Device {
  return isMobile() ? 'this' : 'other'
}
