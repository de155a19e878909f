import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { allowApp } from './consent.ts'
import { startService } from './service.ts'

const here = import.meta.dirname

/** Where there is no such tool, a function that does as much of it as the guide uses. */
const standIns = ['curl', 'openssl']
  .map(
    (tool) =>
      `command -v ${tool} >/dev/null || ${tool}() { "${process.execPath}" "${here}/${tool}-stand-in.ts" "$@"; }`,
  )
  .join('\n')

/** What a worker pastes: every block of shell, one after the other. */
const readBlocks = async (): Promise<string[]> => {
  const text = await readFile(join(here, '..', 'docs', 'guides', 'app.md'), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)
}

test("The app guide's blocks, pasted one after the other, register, read, refresh and give the tokens back", async () => {
  await using service = await startService({ words: ['demo'] })
  // It says so once its year of numbers can be read.
  await expect.poll(() => service.output(), { timeout: 30_000 }).toContain('Stop with Ctrl-C')
  const blocks = await readBlocks()
  // A line of its own behind each block tells where one ends; curl writes none.
  const script = [standIns, ...blocks.map((block) => `${block}printf '\\n---\\n'\n`)]
    .join('\n')
    .replace('NUMERA=http://localhost:8080', `NUMERA=${service.url}`)
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said: string[][] = [[]]
  for await (const line of createInterface({ input: shell.stdout })) {
    if (line === '---') said.push([])
    else if (line !== '') said.at(-1)!.push(line)
    if (line.includes('/oauth/authorize?')) {
      const person = { personalNumber: '191212121212', name: 'Tolvan Tolvansson' }
      const back = await allowApp(service.url, line, person)
      shell.stdin.end(`${back.href}\n`)
    }
  }
  if (shell.exitCode === null) await once(shell, 'exit')
  expect(shell.exitCode).toBe(0)

  const [metadata, registered, , , checked, tokens, read, refreshed, ended] = said
  expect(said).toHaveLength(blocks.length + 1)
  expect(JSON.parse(metadata!.join(''))).toMatchObject({ issuer: service.url })
  expect(registered).toEqual([expect.stringMatching(/^app_\w{22}$/)])
  expect(checked).toEqual(['my state'])
  const pair = {
    access_token: expect.stringMatching(/^nat_/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^nrt_/),
    scope: 'company.read metrics.read',
  }
  expect(JSON.parse(tokens!.join(''))).toEqual(pair)
  expect(JSON.parse(refreshed!.join(''))).toEqual(pair)
  const [, answers] = /^(\{"companies".*\})(\{"source_id".*\})$/.exec(read!.join('')) ?? []
  expect(JSON.parse(answers!).companies.map(({ orgnr }: { orgnr: string }) => orgnr)).toEqual([
    '559999-0016',
    '559999-0024',
  ])
  const samples = JSON.parse(read!.join('').slice(answers!.length))
  expect(samples.samples.length).toBeGreaterThan(100)
  expect(samples.samples[0]).toMatchObject({ metric: 'revenue', sandbox: false })
  expect(JSON.parse(ended!.join(''))).toMatchObject({ code: 'unauthenticated' })
})
