import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Notice } from '../feedback/notice.tsx'
import { DropZone } from '../fields/drop-zone.tsx'
import { readQr, readQrFile } from './qr-read.ts'

/** Milliseconds between two looks at the camera: often enough to feel immediate, seldom enough to leave the page free. */
const PAUSE = 150

/** Why there is no camera, in words. */
export function cameraRefusal(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return t`The camera is not allowed for this site. Allow it in the browser’s settings for this page, or choose a picture.`
  if (name === 'NotFoundError') return t`No camera was found. Choose a picture of the code instead.`
  if (name === 'NotReadableError')
    return t`Another program has the camera. Close it there, or choose a picture of the code.`
  return t`The camera could not be started. Choose a picture of the code instead.`
}

interface ScannerProps {
  onText: (text: string) => void
}

/** A camera's picture that is looked at until a code is in it, and a place for a picture from a file. */
export default function Scanner({ onText }: ScannerProps) {
  const { t } = useLingui()
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onText)
  found.current = onText
  const [camera, setCamera] = useState<'starting' | 'on' | 'off'>('starting')
  const [refusal, setRefusal] = useState<string>()
  const [unread, setUnread] = useState<string>()

  useEffect(() => {
    const ended = new AbortController()
    startCamera(video.current, ended.signal, (text) => found.current(text)).then(
      () => setCamera('on'),
      (error: unknown) => {
        if (ended.signal.aborted) return
        setCamera('off')
        setRefusal(cameraRefusal(error))
      },
    )
    return () => ended.abort()
  }, [])

  const take = async (file: File) => {
    setUnread(undefined)
    try {
      const text = await readQrFile(file)
      if (text !== undefined) found.current(text)
      else
        setUnread(t`No QR code was found in ${file.name}. Try a sharper picture, with the whole code in it.`)
    } catch {
      setUnread(t`${file.name} isn’t a picture this browser can read.`)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <div className={camera === 'off' ? 'hidden' : 'relative overflow-hidden rounded-control bg-sunken'}>
        <video
          ref={video}
          muted
          playsInline
          aria-label={t`What the camera sees`}
          className="aspect-[4/3] w-full object-cover"
        />
        <p role="status" className="absolute inset-x-0 bottom-0 bg-surface/90 px-3 py-2 text-center text-sm">
          {camera === 'starting' ? (
            <Trans>Starting the camera…</Trans>
          ) : (
            <Trans>Point the camera at the code</Trans>
          )}
        </p>
      </div>
      {refusal ? <Notice tone="warn">{refusal}</Notice> : null}
      <DropZone
        label={t`Or drop or paste a picture of the code here`}
        accept="image/*"
        onFile={(file) => void take(file)}
      />
      {unread ? <Notice tone="bad">{unread}</Notice> : null}
    </div>
  )
}

/** Shows the camera in `video` and looks for a code until one is there or `signal` ends it; then the camera is off. */
async function startCamera(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  if (!video || !navigator.mediaDevices) throw new DOMException('There are no cameras here', 'NotFoundError')
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
  if (signal.aborted) return stop()
  signal.addEventListener('abort', stop)
  video.srcObject = stream
  await video.play()
  const canvas = document.createElement('canvas')
  const look = () => {
    if (signal.aborted) return
    const text = readQr({ source: video, width: video.videoWidth, height: video.videoHeight }, canvas)
    if (text === undefined) setTimeout(look, PAUSE)
    else onText(text)
  }
  look()
}
