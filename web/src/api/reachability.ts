import { useSyncExternalStore } from 'react'

/** Between two probes of an unreachable service, in milliseconds. */
const probeEveryMs = 2_000

/** How long a probe waits for its answer, in milliseconds. */
const probeMsMax = 2_500

/** After this time without an answer to a call, the service is probed, in milliseconds. */
const doubtAfterMs = 4_000

/** This script: it is small, and as old as the page. */
const probed = new URL(import.meta.url).pathname

let isAnswering = true
let probing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Whether the service can be reached, as far as the page knows. */
export function isReachable(): boolean {
  return isAnswering && navigator.onLine
}

function setAnswering(now: boolean): void {
  isAnswering = now
  for (const listener of listeners) listener()
}

/** Any status below 500 comes from the service; 502 to 504 also come from proxies in front of it. */
async function isAnswered(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const signal = AbortSignal.timeout(probeMsMax)
    const { status } = await fetch(probed, { method: 'HEAD', cache: 'no-store', signal })
    return status < 500
  } catch {
    return false
  }
}

/** Until the next probe; earlier when the device is online again. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, probeEveryMs)
    addEventListener('online', end)
  })
}

async function probe(): Promise<boolean> {
  let wasUnreachable = false
  while (!(await isAnswered())) {
    wasUnreachable = true
    setAnswering(false)
    await pause()
  }
  setAnswering(true)
  return wasUnreachable
}

/** Probes after a call without an answer. Resolves once the service can be reached, with whether it could not before. */
export function whenReachable(): Promise<boolean> {
  probing ??= probe().finally(() => (probing = undefined))
  return probing
}

/** During a call, notices a connection that was lost silently. @returns ends it */
export function suspectSilence(): () => void {
  const doubt = setTimeout(() => void whenReachable(), doubtAfterMs)
  return () => clearTimeout(doubt)
}

/** @returns ends it */
export function onReachability(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(onReachability, isReachable)
}

export function startReachability(): void {
  addEventListener('online', () => void whenReachable())
  addEventListener('offline', () => {
    setAnswering(false)
    void whenReachable()
  })
}
