/**
 * The rival: oidc-provider, the usual choice on Node, with a typical PostgreSQL adapter: one table of payloads as in its
 * examples, but with `jsonb` and prepared statements. A public client, opaque tokens, rotated refresh tokens. The client is
 * in the configuration, so it needs no query.
 *
 *   node bench/oauth/oidc-provider-server.ts <port> <database url> <path of the token endpoint>
 *
 * `GET /bench/refresh-tokens?count=64` answers with 64 new refresh tokens, each of its own grant.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider'
import { Pool } from 'pg'

const [, , port, url, tokenPath] = process.argv
const pool = new Pool({ connectionString: url!, max: 10, options: '-c search_path=shard_1,access,directory' })
const daySeconds = 24 * 60 * 60
const scope = 'offline_access company.read metrics.read'

await pool.query(`
  create table if not exists oidc_payloads (
    id text not null,
    type text not null,
    payload jsonb not null,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (id, type)
  );
  create index if not exists oidc_payloads_by_grant on oidc_payloads (grant_id) where grant_id is not null;
  create index if not exists oidc_payloads_by_uid on oidc_payloads (uid) where uid is not null;
  create index if not exists oidc_payloads_by_user_code on oidc_payloads (user_code) where user_code is not null`)

interface Row {
  payload: AdapterPayload
  consumed_at: Date | null
}

class PostgresAdapter implements Adapter {
  readonly type: string

  constructor(name: string) {
    this.type = name
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    await pool.query({
      name: 'upsert',
      text: `insert into oidc_payloads (id, type, payload, grant_id, user_code, uid, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (id, type) do update set payload = excluded.payload, grant_id = excluded.grant_id,
          user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
      values: [
        id,
        this.type,
        JSON.stringify(payload),
        payload.grantId ?? null,
        payload.userCode ?? null,
        payload.uid ?? null,
        expiresIn ? new Date(Date.now() + expiresIn * 1_000) : null,
      ],
    })
  }

  async findBy(column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    const { rows } = await pool.query<Row>({
      name: `find_by_${column}`,
      text: `select payload, consumed_at from oidc_payloads where ${column} = $1 and type = $2`,
      values: [value, this.type],
    })
    const row = rows[0]
    return row && { ...row.payload, ...(row.consumed_at ? { consumed: true } : {}) }
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.findBy('id', id)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findBy('uid', uid)
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.findBy('user_code', userCode)
  }

  async consume(id: string): Promise<void> {
    await pool.query({
      name: 'consume',
      text: 'update oidc_payloads set consumed_at = $3 where id = $1 and type = $2',
      values: [id, this.type, new Date()],
    })
  }

  async destroy(id: string): Promise<void> {
    await pool.query('delete from oidc_payloads where id = $1 and type = $2', [id, this.type])
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await pool.query('delete from oidc_payloads where grant_id = $1 and type = $2', [grantId, this.type])
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: PostgresAdapter,
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example.com/back'],
    },
  ],
  scopes: ['openid', ...scope.split(' ')],
  routes: { token: tokenPath! },
  rotateRefreshToken: true,
  ttl: { AccessToken: 60 * 60, RefreshToken: 90 * daySeconds, Grant: 90 * daySeconds },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  features: { devInteractions: { enabled: false } },
})

const issueRefreshToken = async (index: number): Promise<string> => {
  const client = (await provider.Client.find('bench'))!
  const accountId = `member-${index}`
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(scope)
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId: await grant.save(),
    scope,
    gty: 'authorization_code',
  })
  return token.save()
}

const handle = provider.callback()
createServer((request, response) => {
  const target = new URL(request.url!, 'http://127.0.0.1')
  if (target.pathname !== '/bench/refresh-tokens') return void handle(request, response)
  const count = Number(target.searchParams.get('count'))
  void Promise.all(Array.from({ length: count }, (_, index) => issueRefreshToken(index))).then((tokens) =>
    response.end(JSON.stringify(tokens)),
  )
}).listen(Number(port), '127.0.0.1')
