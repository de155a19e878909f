import type { Locator } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'

/** Decodes a picture in the page: one byte for each pixel, in base64. */
const toPoints = (picture: Buffer): string => `(async () => {
  const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]))
  const { width, height } = bitmap
  const canvas = new OffscreenCanvas(width, height).getContext('2d')
  canvas.drawImage(bitmap, 0, 0)
  const { data } = canvas.getImageData(0, 0, width, height)
  const points = Array.from(data.filter((value, index) => index % 4 === 0), (value) => String.fromCharCode(value))
  return { width, height, points: btoa(points.join('')) }
})()`

/** Reads a QR code on the screen as a camera does. @throws if it cannot be read */
export const readCode = async (code: Locator): Promise<string> => {
  const picture = await code.screenshot()
  const { width, height, points } = await code
    .page()
    .evaluate<{ width: number; height: number; points: string }>(toPoints(picture))
  const bytes = Buffer.from(points, 'base64')
  const data = Uint8Array.from({ length: width * height * 4 }, (_value, index) => bytes[index >> 2]!)
  return decodeQR({ width, height, data })
}
