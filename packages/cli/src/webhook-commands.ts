import type { Command } from 'commander'
import { sendWebhook, signDelivery } from 'numera-client'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from './exit-code.ts'
import { keyOfFile } from './file-key.ts'
import { findProfile } from './profiles.ts'
import { type CommonOptions, onRun, type Session, toBaseUrl } from './session.ts'
import { formatFields, toSnakeCase } from './table.ts'

interface SendOptions extends CommonOptions {
  source: string
  url?: string
  id?: string
  shapeVersion?: number
}

export function defineWebhook(command: Command, session: Session): void {
  const send = command
    .command('send')
    .description('sign a file and send it, until it is accepted')
    .argument('<file>', 'JSON, or CSV with a name in .csv')
    .requiredOption('--source <id>', 'the webhook source')
    .option('--url <address>', 'the address of the service; that of the login by default')
    .option('--id <delivery>', 'the event’s own id; from the name and content of the file by default')
    .addHelpText(
      'after',
      '\nThe signing secret (nws_…) comes from a prompt or standard input. No login is needed with --url.',
    )
  onRun<SendOptions>(send, session, (options, file) => sendFile(session, options, file!))
  const vectors = command.command('vectors').description('signatures to compare one’s own with')
  onRun(vectors, session, () => printVectors(session))
}

async function sendFile(session: Session, options: SendOptions, file: string): Promise<void> {
  const { io } = session
  const base =
    options.url === undefined ? (await findProfile(io, options.profile)).profile.url : toBaseUrl(options.url)
  const body = new Uint8Array(await readFile(file))
  const deliveryId = options.id ?? (await keyOfFile(file))
  const secret = (io.prompt ? await io.prompt('Signing secret (nws_…)') : await text(io.stdin)).trim()
  if (!/^nws_[\x21-\x7e]+$/.test(secret)) throw new UsageError('The signing secret begins with nws_.')
  const receipt = await sendWebhook({
    url: `${base}/v1/webhooks/${encodeURIComponent(options.source)}`,
    secret,
    deliveryId,
    body,
    contentType: /\.csv$/i.test(file) ? 'text/csv' : 'application/json',
    signal: io.signal,
    fetch: session.watch(io.fetch),
    clock: io.clock,
  })
  const answer = toSnakeCase({ deliveryId, ...receipt }) as object
  session.print(answer, formatFields(answer))
}

/** Of what senders get wrong: the secret with its prefix, bytes as they are, the time in seconds. */
const vectors = [
  {
    t: 1767225600,
    deliveryId: 'order:1001',
    body: '{"at":"2026-01-01T00:00:00+01:00","amount":"249.50","shop":"Malmö – Västra"}',
  },
  {
    t: 1767225600,
    deliveryId: 'order:1001',
    body: '{"at":"2026-01-01T00:00:00+01:00","amount":"249.50","shop":"Malmö – Västra"}\n',
  },
]
const vectorSecret = 'nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'

async function printVectors(session: Session): Promise<void> {
  for (const { t, deliveryId, body } of vectors) {
    const signature = await signDelivery({ secret: vectorSecret, t, deliveryId, body })
    const vector = { secret: vectorSecret, t, delivery_id: deliveryId, body, signature }
    session.print(
      vector,
      Object.entries(vector)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join('\n') + '\n',
    )
  }
}
