import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Samples } from '../testing/process/numera-api.ts'
import type { Service } from '../testing/process/start-service.ts'

const run = promisify(execFile)

/** The text that the demo has printed since its last start, once it is complete. */
export async function readPrinted(service: Service): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const text = service.output()
    if (text.includes('Press Ctrl-C to stop')) return text
    await sleep(50)
  }
  throw new Error(`it printed no first steps: ${service.output()}`)
}

function splitCommands(text: string): string[] {
  return text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
}

/** The printed commands, each as it would be pasted. */
export function findCommands(text: string): string[] {
  return splitCommands(text).filter((line) => line.startsWith('curl '))
}

/** The printed command that signs and sends a webhook. */
export function findWebhook(text: string): string {
  return splitCommands(text).find((line) => line.startsWith('t='))!
}

/** A shell function that replaces a missing tool, with the features that the commands use. */
const standIn = (tool: string): string =>
  `command -v ${tool} >/dev/null || ${tool}() { "${process.execPath}" "${import.meta.dirname}/${tool}-stand-in.ts" "$@"; }\n`

/** Runs a printed command in a shell. */
export async function paste(command: string) {
  const shell = `${standIn('curl')}${standIn('openssl')}${command.replace('curl ', 'curl -s ')}`
  const { stdout } = await run('sh', ['-c', shell])
  return JSON.parse(stdout)
}

export async function readUntil(command: string, isThere: (samples: Samples) => boolean): Promise<Samples> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const samples = (await paste(command)) as Samples
    if (samples.samples !== undefined && isThere(samples)) return samples
    await sleep(100)
  }
  throw new Error(`nothing came of ${command}`)
}
