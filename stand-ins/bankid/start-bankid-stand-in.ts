import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api, type ApiOptions, type BankIdCall, type ForcedAnswer, prefix } from './api.ts'
import { Authority, type RelyingPartyOptions } from './authority.ts'
import { type Issued, toPem } from './certificate.ts'
import { type Lifetimes, usualLifetimes } from './order.ts'
import { Orders } from './orders.ts'
import { createPkcs12 } from './pkcs12.ts'

/**
 * A stand-in for BankID's relying-party API 6.0: it enforces the API's public rules, and completes orders with signatures
 * and OCSP responses of its own authority. Tests and pages act as the person through `phone`.
 */

export interface BankIdStandInOptions extends ApiOptions {
  /** Any free port by default. */
  port?: number
  lifetimes?: Partial<Lifetimes>
  /** The greatest age of a QR code that a phone scans; 5 seconds by default. */
  qrAgeSecondsMax?: number
  /** The name that the app shows, from the relying party's certificate. */
  relyingPartyName?: string
}

/** A relying party's certificate and key. */
export interface RelyingParty {
  issued: Issued
  /** The certificate and its issuer's. */
  certificatePem: string
  keyPem: string
  pkcs12: Buffer
  passphrase: string
}

export interface BankIdStandIn extends AsyncDisposable {
  /** `https://127.0.0.1:…/rp/v6.0` */
  readonly url: string
  readonly authority: Authority
  /** For the service under test. */
  readonly relyingParty: RelyingParty
  /** The issuer of the server's certificate. */
  readonly issuerPem: string
  /** The root of signatures and OCSP responses. */
  readonly rootsPem: string
  /** The same as files, deleted on disposal. */
  readonly files: { pkcs12: string; certificate: string; key: string; issuer: string; roots: string }
  /** Configures a service to use the stand-in. */
  readonly environment: Record<string, string>
  readonly calls: readonly BankIdCall[]
  readonly phone: Pick<Orders, 'scan' | 'open'>
  readonly orders: Pick<Orders, 'all' | 'find' | 'qrText' | 'autoStartToken'>
  /** Another relying party. A stranger's certificate is refused in the TLS handshake. */
  createRelyingParty(options?: RelyingPartyOptions): Promise<RelyingParty>
  /** The relying party's calls are answered 401 from now on. */
  withdrawAccess(relyingParty: RelyingParty): void
  /** Applies to the next calls; further answers queue behind it. */
  answerNextWith(answer: ForcedAnswer): void
  /** Drops the answers that `answerNextWith` queued. */
  answerAsUsual(): void
}

const passphrase = 'qwerty123'

async function listen(api: Api, authority: Authority, port: number): Promise<Server> {
  const [server, issuer] = await Promise.all([authority.server(), authority.relyingPartyIssuer()])
  const listening = createServer(
    {
      key: server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: toPem(server),
      ca: toPem(issuer),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      // `requestMsMax` replaces it, with an answer.
      requestTimeout: 0,
    },
    (request, response) => {
      api.handle(request, response).catch(() => request.socket.destroy())
    },
  )
  // A refused handshake, or a closed connection.
  listening.on('tlsClientError', () => undefined)
  listening.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return listening
}

async function writeFiles(folder: string, contents: Record<string, string | Buffer>): Promise<void> {
  await Promise.all(
    Object.entries(contents).map(([name, content]) =>
      writeFile(join(folder, name), content, { mode: 0o600 }),
    ),
  )
}

/** Starts the stand-in on loopback, with certificates of its own. */
export async function startBankIdStandIn(options: BankIdStandInOptions = {}): Promise<BankIdStandIn> {
  const { now = Date.now, lifetimes, qrAgeSecondsMax = 5, port = 0, relyingPartyName = 'Numera' } = options
  const authority = new Authority(now)
  const orders = new Orders({
    authority,
    now,
    lifetimes: { ...usualLifetimes, ...lifetimes },
    qrAgeSecondsMax,
  })
  const api = new Api(orders, options)
  const createRelyingParty = async (of: RelyingPartyOptions = {}): Promise<RelyingParty> => {
    const issued = await authority.relyingParty(of)
    const issuer = await authority.relyingPartyIssuer(of.isStranger)
    api.relyingParties.set(issued.certificate.fingerprint256, issued)
    return {
      issued,
      certificatePem: toPem(issued, issuer),
      keyPem: issued.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      pkcs12: createPkcs12(issued, [issuer], passphrase),
      passphrase,
    }
  }
  const [relyingParty, issuer, root, server, folder] = await Promise.all([
    createRelyingParty({ name: relyingPartyName }),
    authority.connectionRoot(),
    authority.signingRoot(),
    listen(api, authority, port),
    mkdtemp(join(tmpdir(), 'bankid-stand-in-')),
  ])
  // RSA keys take long to generate. Only an immediate signature has to wait for them.
  authority.prepare().catch(() => undefined)
  const [issuerPem, rootsPem] = [toPem(issuer), toPem(root)]
  await writeFiles(folder, {
    'relying-party.p12': relyingParty.pkcs12,
    'relying-party.pem': relyingParty.certificatePem,
    'relying-party.key': relyingParty.keyPem,
    'issuer.pem': issuerPem,
    'roots.pem': rootsPem,
  })
  const files = {
    pkcs12: join(folder, 'relying-party.p12'),
    certificate: join(folder, 'relying-party.pem'),
    key: join(folder, 'relying-party.key'),
    issuer: join(folder, 'issuer.pem'),
    roots: join(folder, 'roots.pem'),
  }
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
  return {
    url,
    authority,
    relyingParty,
    issuerPem,
    rootsPem,
    files,
    environment: {
      NUMERA_BANKID_URL: url,
      NUMERA_BANKID_CERTIFICATE_FILE: files.pkcs12,
      NUMERA_BANKID_PASSPHRASE: passphrase,
      NUMERA_BANKID_ISSUER_FILE: files.issuer,
      NUMERA_BANKID_ROOTS_FILE: files.roots,
    },
    calls: api.calls,
    phone: orders,
    orders,
    createRelyingParty,
    withdrawAccess: ({ issued }) => void api.withdrawn.add(issued.certificate.fingerprint256),
    answerNextWith: (answer) => void api.forced.push({ ...answer }),
    answerAsUsual: () => void (api.forced = []),
    [Symbol.asyncDispose]: async () => {
      server.close()
      // `closeAllConnections` would leave out unfinished TLS handshakes.
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
