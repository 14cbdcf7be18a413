import { decodeQR } from 'qr/decode.js'

/** Longest side at which a picture is looked at: more costs time and finds no more. */
const LONGEST = 1600

/** A picture, or a frame of a video, that a code may be in. */
export interface Picture {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
}

/** The text of the QR code in a picture; undefined when none is found. */
export function readQr({ source, width, height }: Picture, canvas: HTMLCanvasElement): string | undefined {
  if (width === 0 || height === 0) return undefined
  const scale = Math.min(1, LONGEST / Math.max(width, height))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const surface = canvas.getContext('2d', { willReadFrequently: true })
  if (!surface) return undefined
  // A transparent picture is looked at on paper.
  surface.fillStyle = '#ffffff'
  surface.fillRect(0, 0, canvas.width, canvas.height)
  surface.drawImage(source, 0, 0, canvas.width, canvas.height)
  try {
    return decodeQR(surface.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: 80 }) || undefined
  } catch {
    return undefined
  }
}

/** The text of the QR code in a file; undefined when it has none. Rejects if the file isn't a picture. */
export async function readQrFile(file: Blob): Promise<string | undefined> {
  const source = await createImageBitmap(file)
  try {
    return readQr({ source, width: source.width, height: source.height }, document.createElement('canvas'))
  } finally {
    source.close()
  }
}
