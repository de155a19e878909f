/**
 * The part of openssl that the demo's printed commands and the shell sender use, for a machine without it:
 * `dgst -sha256 [-hmac key] -binary` or `-r`.
 */
import { createHash, createHmac } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

const [command, algorithm, ...options] = process.argv.slice(2)
if (command !== 'dgst' || algorithm !== '-sha256') throw new Error('this stand-in knows dgst -sha256 alone')
const hashing = options[0] === '-hmac' ? createHmac('sha256', options[1]!) : createHash('sha256')
const digest = hashing.update(await buffer(process.stdin)).digest()
process.stdout.write(options.at(-1) === '-binary' ? digest : `${digest.toString('hex')} *stdin\n`)
