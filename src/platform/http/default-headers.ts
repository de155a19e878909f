/** A year. */
const transportSecuritySeconds = 31_536_000

/** What browsers let pages do that these never do. Copying is left to them: figures and secrets have a button for it. */
const unusedFeatures =
  'accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen gamepad geolocation ' +
  'gyroscope hid identity-credentials-get idle-detection keyboard-map local-fonts magnetometer microphone midi ' +
  'otp-credentials payment picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock ' +
  'serial storage-access sync-xhr usb web-share window-management xr-spatial-tracking'

/** On pages and all that they load and call; the public API does without, since no browser shows its answers. */
export const permissionsPolicy = {
  'permissions-policy': `${unusedFeatures.replaceAll(/ |$/g, '=(), ')}clipboard-write=(self)`,
} as const

/**
 * Headers of every answer unless its route sets others: the answer is data, not a page, and only for the caller. Pages
 * bring their own content policy.
 */
export function getDefaultHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    // A page of another origin that opens one of these has no reference to it, and the other way round. On redirects too: one
    // without it would part the reference from the window of the flow that it began.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(baseUrl.startsWith('https:')
      ? { 'strict-transport-security': `max-age=${transportSecuritySeconds}` }
      : {}),
  }
}
