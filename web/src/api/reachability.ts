import { useSyncExternalStore } from 'react'

/** How often an unreachable service is tried again, milliseconds. */
const probeEveryMs = 2_000

/** After how long without an answer the service counts as unreachable, milliseconds. */
const probeMsMax = 2_500

/** After how long a call that is not answered makes it doubtful that the service can be reached, milliseconds. */
const doubtAfterMs = 4_000

/** This script: it is small to ask about, and as old as the page. */
const probed = new URL(import.meta.url).pathname

let isAnswering = true
let probing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Whether the service can be reached, as far as the pages know. */
export function isReachable(): boolean {
  return isAnswering && navigator.onLine
}

function setAnswering(now: boolean): void {
  isAnswering = now
  for (const listener of listeners) listener()
}

/** Anything below 500 comes from the service; 502 to 504 also come from the proxies in front of it. */
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

/** Until the next try; sooner when the device is online again. */
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
  let wasAway = false
  while (!(await isAnswered())) {
    wasAway = true
    setAnswering(false)
    await pause()
  }
  setAnswering(true)
  return wasAway
}

/**
 * Resolves once the service can be reached, with whether it could not. To be called when a call got no answer: until one goes
 * wrong, the service counts as reachable.
 */
export function whenReachable(): Promise<boolean> {
  probing ??= probe().finally(() => (probing = undefined))
  return probing
}

/** For while a call is unanswered: a connection that is lost without a word is noticed too. @returns ends it */
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

/** Follows the network from the start on. */
export function startReachability(): void {
  addEventListener('online', () => void whenReachable())
  addEventListener('offline', () => {
    setAnswering(false)
    void whenReachable()
  })
}
