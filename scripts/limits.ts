/**
 * What docs/limits.md says: the bounds that a caller or an operator can meet, each with the value that the code has.
 * Bounds that only the code meets stand beside it alone.
 */
import { readConfig } from '../src/platform/config/read-config.ts'
import { publicDemoLimits } from '../src/platform/config/public-demo-limits.ts'
import { visitLimits } from '../src/console/demo-visits/visit-company.ts'
import { visitLifetimeMs } from '../src/console/demo-visits/create-visit.ts'
import { keptMs as appCallsKeptMs } from '../src/console/app-connections/expiry.ts'
import { countedMax } from '../src/console/deliveries/search/delivery-filter.ts'
import { companyPagesMax, openPagesMax } from '../src/console/deliveries/live/open-pages.ts'
import { invitationLifetimeMs } from '../src/console/memberships/invitation.ts'
import { memberAdditionRate } from '../src/console/memberships/add-member.ts'
import { openInvitationsMax } from '../src/console/memberships/create-invitation.ts'
import { followedQueuedMax } from '../src/console/deliveries/follow/position.ts'
import { waitSecondsMax } from '../src/console/deliveries/follow/contract.ts'
import { companyWaitsMax, connectionWaitsMax, waitsMax } from '../src/console/deliveries/follow/waits.ts'
import { previewThreadMsMax } from '../src/console/previews/previews.ts'
import { previewDeliveriesMax } from '../src/console/previews/stored-for-preview.ts'
import { keptByCallerMax } from '../src/console/refused-calls/refused-call-records.ts'
import { keptMs as refusedCallsKeptMs } from '../src/console/refused-calls/expiry.ts'
import {
  evidenceDeliveriesMax,
  evidenceRowDeliveriesMax,
  evidenceRowsMax,
} from '../src/console/reports/evidence/read-evidence.ts'
import { answerBytesMax as toolAnswerBytesMax, pointsMax } from '../src/mcp/read-metric.ts'
import { reportCellsMax, seriesMax } from '../src/console/reports/read-values.ts'
import { linesMax, reportOperandsMax, sumOperandsMax } from '../src/console/views/line-text.ts'
import { companyViewsMax, ownViewsMax } from '../src/console/views/saved-views.ts'
import { auditFilesMax } from '../src/company/audit/download-audit.ts'
import { auditKeptMs } from '../src/company/audit/expiry.ts'
import { graceDays, requestLifetimeMs } from '../src/company/deletions/deletion.ts'
import { exportMsMax } from '../src/company/exports/export-company.ts'
import { exportsMax } from '../src/company/exports/routes.ts'
import {
  labelNameCharactersMax,
  labelNamesMax,
  namedLabelsMax,
} from '../src/company/label-names/label-names.ts'
import { notesMax, notesOfPeriodMax } from '../src/company/notes/annotations.ts'
import { targetMonthsMax } from '../src/company/notes/save-targets.ts'
import { noteCharactersMax } from '../src/company/notes/write-notes.ts'
import { attentionItemsMax } from '../src/company/attention/list-attention.ts'
import { linkDaysMax, linksMax } from '../src/company/links/link.ts'
import { linkRate } from '../src/company/links/open-link.ts'
import { furtherCompaniesMax } from '../src/company/connections/create-connection.ts'
import { overlapHoursMax } from '../src/company/connections/rotate-connection.ts'
import { overlapMs } from '../src/company/sources/signing-secrets/rotate-signing-secret.ts'
import {
  fieldNameCharactersMax,
  fieldsMax,
  filtersMax,
  inValuesMax,
  labelsMax,
} from '../src/engine/declarations/check-declaration.ts'
import { labelCharactersMax, valueCharactersMax } from '../src/engine/fields/field-value.ts'
import { bodyBytesMax } from '../src/engine/deliveries/intake/delivery.ts'
import { droppedKeysMax } from '../src/engine/formats/dropped-keys.ts'
import { keyLengthMax } from '../src/engine/deliveries/intake/idempotency-key.ts'
import { skewSecondsMax } from '../src/engine/deliveries/webhooks/headers.ts'
import { failureRate } from '../src/engine/deliveries/webhooks/receive-webhook.ts'
import { refusalsKeptMax } from '../src/engine/parsing/plan/refusal.ts'
import {
  writtenBytesAlways,
  writtenBytesPerContentByteMax,
} from '../src/engine/parsing/plan/write-allowance.ts'
import { rebuildsOfCompanyMax } from '../src/engine/projections/maintain-projections.ts'
import { companySendingBytesMax, sendMsMax } from '../src/platform/reads/sending-budget.ts'
import { answerBytesMax, samplesMax } from '../src/engine/samples/read-samples.ts'
import { windowDaysMax } from '../src/platform/reads/read-window.ts'
import { usageCountEveryMs } from '../src/engine/usage/count-usage.ts'
import { csvColumnsMax } from '../src/formats/csv/csv-cursor.ts'
import { jsonDepthMax } from '../src/formats/json/json-scanner.ts'
import { verificationBytesMax } from '../src/formats/sie/sie-rows.ts'
import { decimalDigitsMax, decimalPlacesMax } from '../src/formats/values/decimal.ts'
import { holdMsMax, moverSilentMsMax } from '../src/people/companies/moves/company-move.ts'
import { placeWaitMsMax } from '../src/people/companies/moves/find-place.ts'
import { codeLifetimeMs } from '../src/oauth/authorize/issue-code.ts'
import { suggestedCompaniesMax } from '../src/oauth/authorize/authorize-request.ts'
import { formBytesMax } from '../src/oauth/client/client-request.ts'
import { lifetimeMs } from '../src/oauth/consent/end-date.ts'
import { redirectUriCharactersMax } from '../src/oauth/register/check-redirect-uri.ts'
import { unusedMs } from '../src/oauth/register/expiry.ts'
import { addressRate, attemptsInHourMax, networkRate } from '../src/oauth/register/limit-registrations.ts'
import { clientNameCharactersMax } from '../src/oauth/register/client-metadata.ts'
import { addressesMax } from '../src/oauth/register/client-metadata.ts'
import { registrationBytesMax } from '../src/oauth/register/routes.ts'
import { accessTokenMs } from '../src/oauth/token/token-answer.ts'
import { callableCompaniesMax } from '../src/people/access/queries.ts'
import { storedRetryAfterSeconds, waitingRetryAfterSeconds } from '../src/people/access/reached-limit.ts'
import { signInRate } from '../src/people/identity/sign-in.ts'
import { signatureRate } from '../src/people/identity/signing.ts'
import { orderLifetimeMs } from '../src/people/identity/order.ts'
import { sessionLifetimeMs } from '../src/people/sessions/session.ts'
import { clockStepMsMax, clockHandoverMs } from '../src/platform/clock/keep-time.ts'
import {
  acceptStatementTimeoutMs,
  connectMsMax,
  pageStatementTimeoutMs,
  readStatementTimeoutMs,
  standbyCheckMsMax,
  standbyReadMsMax,
  standbyRestMs,
} from '../src/platform/database/deadlines.ts'
import { callerShare, callerWaitingMax, turnWaitMsMax } from '../src/platform/database/share-limiter.ts'
import { pageBytesMax } from '../src/platform/database/within-bytes.ts'
import { headerBytesMax } from '../src/platform/http/answer-broken-connection.ts'
import {
  bodyBytesPerSecondMin,
  bodyGraceSeconds,
  companyBodyShare,
  networkBodyShare,
} from '../src/platform/http/body/body-budget.ts'
import {
  headersMsMax,
  idleConnectionMsMax,
  requestMsMax,
  untakenAnswerMsMax,
} from '../src/platform/http/create-app.ts'
import { networkConnectionShare } from '../src/platform/http/limit-connections.ts'
import { limitMax } from '../src/platform/http/pagination.ts'
import { slowMs } from '../src/platform/telemetry/observe-answer.ts'
import { stopMsMax } from '../src/app/until-stop-signal.ts'
import { sweepGraceMs } from '../src/app/start-expiry-sweep.ts'

interface Rate {
  readonly perMinute: number
  readonly burst: number
}

const count = (number: number, unit = ''): string => `${number.toLocaleString('en-US')}${unit && ` ${unit}`}`
const inUnits = (amount: number, units: readonly [unit: string, size: number][]): string => {
  // A single day is 24 h.
  const [unit, size] = units.find(
    ([each, of]) => Number.isInteger(amount / of) && (each !== 'days' || amount > of),
  )!
  return count(amount / size, unit)
}
const bytes = (amount: number): string =>
  inUnits(amount, [
    ['GiB', 1_024 ** 3],
    ['MiB', 1_024 ** 2],
    ['KiB', 1_024],
    ['bytes', 1],
  ])
const ms = (amount: number): string =>
  inUnits(amount, [
    ['days', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ])
const rate = ({ perMinute, burst }: Rate): string => `${count(perMinute)} a minute, burst ${count(burst)}`
const share = (part: number): string => `${part * 100} %`
const characters = (number: number): string => count(number, 'characters')

const { config } = readConfig({})
const { rates, companyLimits: company, http, sessions, database } = config
const limited = '429 `rate_limited`'
const full = '409 `conflict`'
const invalidField = '400 with the field'

/** docs/limits.md. */
export const limitsPage = `---
title: Limits
summary: The bounds that callers and operators meet, with their defaults and what happens beyond them.
section: Look up
order: 2
---

# Limits

Find the part that is yours: [sending](#if-you-send), [reading](#if-you-read), [apps](#if-you-make-an-app), [the company’s
pages](#if-you-use-the-companys-pages), [operating](#if-you-operate-the-service). This page is written by \`npm run limits\`
from the values in the code; a variable may set another one where you are ([configuration](configuration.md)).

A call refused with 4xx has changed nothing. 429 and 503 carry \`Retry-After\` in seconds. 503, 408 and 500 are \`internal\`,
at \`/oauth\` \`temporarily_unavailable\` (500: \`server_error\`). After a 503 for a deadline the request may still have been
done: send it again with the same key ([errors](errors.md)).

## If you send

Put many rows into one delivery: calls are counted, and a delivery holds 8 MiB. Read \`RateLimit-Remaining\`
on each answer and wait as long as \`Retry-After\` says. Split what is larger, each part with a key of its own.

### Rates

A bucket of \`burst\` calls that refills by as many a minute, shared by all processes of a deployment. Reads and
pushes of a connection take from the same bucket.

| what | default | beyond it | set by |
|---|---|---|---|
| calls of a service connection, reads and pushes together | ${rate(rates.connection)} | ${limited} | \`NUMERA_RATE_PER_MINUTE\`, \`NUMERA_RATE_BURST\` |
| webhook deliveries of a source | ${rate(rates.webhook)} | ${limited} | \`NUMERA_RATE_PER_MINUTE\`, \`NUMERA_RATE_BURST\` |
| failed webhook signatures of a client network | ${rate(failureRate)} | ${limited}, for signed deliveries of that network too | — |
| calls of the demo connection, by client network | ${rate(rates.demo)} | ${limited} | \`NUMERA_DEMO_RATE_PER_MINUTE\`, \`NUMERA_DEMO_RATE_BURST\` |
| changes that a member sends from the pages, except for signing out | ${rate(rates.write)} | ${limited} | \`NUMERA_WRITE_RATE_PER_MINUTE\`, \`NUMERA_WRITE_RATE_BURST\` |

### A delivery

| what | default | beyond it | set by |
|---|---|---|---|
| body of a delivery | ${bytes(bodyBytesMax)} | 413: \`invalid_argument\` for a push, \`too_large\` for a webhook | — |
| \`idempotency_key\` and \`Service-Delivery-Id\` | ${characters(keyLengthMax)} | 400 \`invalid_argument\` | — |
| clock skew of a webhook signature, either way | ${count(skewSecondsMax, 's')} | 400 \`invalid_argument\` | — |
| \`dropped_keys\` in a receipt | ${count(droppedKeysMax)} | further ones are not listed | — |
| a check of a push (\`POST /v1/ingest/check\`), once its body has arrived | ${ms(previewThreadMsMax)} | 503 | — |
| checks of one connection at a time | 1 | 429 \`rate_limited\` | — |
| how long the previous signing secret keeps working | ${ms(overlapMs)} | it is refused; a second rotation ends it immediately | — |
| average speed of a body, a lower bound | ${count(bodyBytesPerSecondMin, 'bytes a second')} | 408 after the first ${bodyGraceSeconds} s, connection closed | — |

### Rows and values

A refused row is reported with its number and field, and the other rows count. A body that does not parse is refused
whole. What a delivery may write is counted by what its rows take on full pages ([fair parsing](decisions/parsing.md)).

| what | default | beyond it | set by |
|---|---|---|---|
| nesting of a JSON body | ${count(jsonDepthMax)} | 400, field \`body\` | — |
| columns of a CSV | ${count(csvColumnsMax)} | 400, field \`body\` | — |
| \`#VER\` line of a SIE file | ${count(verificationBytesMax, 'bytes')} | 400, field \`body\` | — |
| a value | ${characters(valueCharactersMax)} | its row is refused: \`text_too_long\` | — |
| a value that a metric is grouped by | ${characters(labelCharactersMax)} | its row is refused: \`label_too_long\` | — |
| digits of a number, written out | ${count(decimalDigitsMax)} | its row is refused: \`number_too_long\` | — |
| decimals of a number | ${count(decimalPlacesMax)} | its row is refused: \`number_too_long\` | — |
| bytes that a delivery may write for each byte of its content | ${count(writtenBytesPerContentByteMax)} | rows beyond ${bytes(writtenBytesAlways)} and that are refused: \`allowance_spent\` | — |
| refused rows of a delivery that are reported one by one | ${count(refusalsKeptMax)} | further ones are only counted | — |

### What a company may hold

Ask the operator to raise a limit that you reach (\`numera company limits\`, [operating](guides/operating.md#companies)).
What is stored and parsed stays readable whichever limit is reached.

| what | default | beyond it | set by |
|---|---|---|---|
| cells, those of rebuilds included | ${count(company.cells)} | ${limited} for deliveries | \`NUMERA_COMPANY_CELLS\` |
| stored bytes, waiting ones included | ${bytes(company.stored_bytes)} | ${limited} for deliveries | \`NUMERA_COMPANY_STORED_BYTES\` |
| bytes of deliveries that wait to be parsed | ${bytes(company.waiting_bytes)} | ${limited} for deliveries | \`NUMERA_COMPANY_WAITING_BYTES\` |
| deliveries that wait to be parsed | ${count(company.waiting_deliveries)} | ${limited} for deliveries | \`NUMERA_COMPANY_WAITING_DELIVERIES\` |
| \`Retry-After\` where cells or stored bytes are reached | ${count(storedRetryAfterSeconds, 's')} | — | — |
| \`Retry-After\` where waiting deliveries are | ${count(waitingRetryAfterSeconds, 's')} | — | — |
| interval at which these are counted | ${ms(usageCountEveryMs)} | a company may exceed a limit for that long | — |

## If you read

Read the window once and filter it on your side; keep the \`ETag\` and send it as \`If-None-Match\`. Where \`truncated\` is
true, send \`next\` as \`cursor\`.

| what | default | beyond it | set by |
|---|---|---|---|
| window of a read | ${count(windowDaysMax, 'days')} | \`from\` moves forward, \`window.narrowed\` is true | — |
| samples of one answer | ${count(samplesMax)} | the oldest are left out, \`truncated\` is true, \`next\` continues it | — |
| one answer, as JSON; its CSV is shorter | ${bytes(answerBytesMax)} | the oldest are left out, \`truncated\` is true, \`next\` continues it | — |
| share of the read connections that one company has | ${share(callerShare)} | its further reads wait | — |
| reads of one company that wait | ${count(callerWaitingMax)} | 503 | — |
| wait for a turn | ${ms(turnWaitMsMax)} | 503 | — |
| answers in flight of one company | ${bytes(companySendingBytesMax)} | 503 | — |
| time in which a client reads a whole answer | ${ms(sendMsMax)} | connection closed | — |
| time without the client reading anything | ${ms(untakenAnswerMsMax)} | connection closed | — |
| items of one page of a list (\`limit\`) | ${count(limitMax)} | 400, field \`limit\` | — |
| one page of a list, as JSON | ${bytes(pageBytesMax)} | the page ends early, \`next_cursor\` continues it | — |
| \`wait\` of \`GET /v1/deliveries\` | ${count(waitSecondsMax, 's')} | 400, field \`wait\` | — |
| calls of one connection that wait | ${count(connectionWaitsMax)} | 429 \`rate_limited\` | — |
| calls of one company that wait; of all | ${count(companyWaitsMax)}; ${count(waitsMax)} | 503 | — |
| listed deliveries that are queued | ${count(followedQueuedMax)} | further ones are listed once some are parsed | — |
| companies of a caller that are listed | ${count(callableCompaniesMax)} | the first by organisation number are listed | — |

## If you make an app

Exchange a code immediately, refresh before an access token ends, and register once for each installation.

| what | default | beyond it | set by |
|---|---|---|---|
| token and revoke calls of a client and network; authorize calls of a network | ${rate(rates.oauth)} | 429 \`temporarily_unavailable\` | \`NUMERA_OAUTH_RATE_PER_MINUTE\`, \`NUMERA_OAUTH_RATE_BURST\` |
| registrations from an address | ${rate(addressRate)} | 429 \`temporarily_unavailable\` | — |
| registrations from a client network | ${rate(networkRate)} | 429 \`temporarily_unavailable\` | — |
| registrations of the deployment in an hour | ${count(attemptsInHourMax)} | 429 \`temporarily_unavailable\` | — |
| access token | ${ms(accessTokenMs)} | 401; less where the connection ends sooner | — |
| authorization code | ${ms(codeLifetimeMs)} | 400 \`invalid_grant\` | — |
| delegated connection, from the consent | ${ms(lifetimeMs)} | 401 for all its tokens | — |
| unused app | ${ms(unusedMs)} | deleted | — |
| registered redirect addresses | ${count(addressesMax)} | 400 \`invalid_redirect_uri\` | — |
| one redirect address | ${characters(redirectUriCharactersMax)} | 400 \`invalid_redirect_uri\` | — |
| \`client_name\` | ${characters(clientNameCharactersMax)} | 400 \`invalid_client_metadata\` | — |
| body of a registration | ${bytes(registrationBytesMax)} | 413 \`invalid_request\` | — |
| form of a token or revoke call | ${bytes(formBytesMax)} | 413 \`invalid_request\` | — |
| \`companies\` parameter of authorize | ${count(suggestedCompaniesMax)} | \`invalid_request\` | — |
| record of an app’s call | ${ms(appCallsKeptMs)} | deleted | — |

## If you use the company’s pages

The pages say when one of these is reached.

| what | default | beyond it | set by |
|---|---|---|---|
| sources of a company | ${count(company.sources)} | ${full} | \`NUMERA_COMPANY_SOURCES\` |
| shape versions of a source | ${count(company.shape_versions)} | ${full} | \`NUMERA_SOURCE_SHAPE_VERSIONS\` |
| fields of a source | ${count(fieldsMax)} | ${invalidField} | — |
| name of a field | ${characters(fieldNameCharactersMax)} | ${invalidField} | — |
| filters of a metric | ${count(filtersMax)} | ${invalidField} | — |
| labels of a metric (\`group_by\`) | ${count(labelsMax)} | ${invalidField} | — |
| values that an \`in\` filter names | ${count(inValuesMax)} | ${invalidField} | — |
| service connections that are neither revoked nor expired | ${count(company.connections)} | ${full} | \`NUMERA_COMPANY_CONNECTIONS\` |
| members of a company | ${count(company.members)} | ${full} | \`NUMERA_COMPANY_MEMBERS\` |
| service connection, from its signing | 1 year | 401 for all its credentials | — |
| how long a rotated credential may keep working | ${count(overlapHoursMax, 'h')} | 400, field \`overlap_hours\` | — |
| further companies of a connection | ${count(furtherCompaniesMax)} | 400 | — |
| invitation link | ${ms(invitationLifetimeMs)} | 404 | — |
| open invitation links of a company | ${count(openInvitationsMax)} | ${full} | — |
| read-only links of a company | ${count(linksMax)} | ${full} | — |
| read-only link | ${count(linkDaysMax, 'days')} at most | 404 | — |
| requests of a read-only link | ${rate(linkRate)} | ${limited} | — |
| items that need attention, in one list | ${count(attentionItemsMax)} | the latest; \`more\` is true | — |
| people that an owner adds by personal number | ${rate(memberAdditionRate)} | ${limited}; invitations by link still work | — |
| session of a member | ${ms(sessionLifetimeMs)} | signed out | — |
| session of a member that is not used | ${ms(sessions.idleMs)} | signed out | \`NUMERA_SESSION_IDLE_MINUTES\` |
| age of a sign-in for adding owners and rotating credentials | ${ms(sessions.recentSignInMs)} | 403 \`sign_in_again\` | \`NUMERA_RECENT_SIGN_IN_MINUTES\` |
| time to answer a sign-in or a signature | ${ms(orderLifetimeMs)} | it has failed | — |
| sign-ins begun from a client network | ${rate(signInRate)} | ${limited} | — |
| signatures begun by a member | ${rate(signatureRate)} | ${limited} | — |
| record of what was done in a company or to the deployment | ${ms(auditKeptMs)} | deleted | — |
| files of audits that one process sends at a time, each of another company | ${count(auditFilesMax)} | 503 | — |
| export of a company | ${ms(exportMsMax)} | cut off: its last line is missing | — |
| exports at the same time | 1 of a company, ${count(exportsMax)} of a process | 503 with \`Retry-After\` | — |
| second signature of the deletion of a company | ${ms(requestLifetimeMs)} after the first | the first one is void | — |
| withdrawal of the deletion of a company | ${count(graceDays)} days after the second signature, to the end of the day | everything is deleted | — |
| samples that one report counts | ${count(reportCellsMax)} | the oldest periods are left out, \`complete\` is false | — |
| deliveries that the evidence of a figure lists | ${count(evidenceDeliveriesMax)} | the latest, \`complete\` is false | — |
| rows that it lists of each of the latest ${count(evidenceRowDeliveriesMax)} deliveries | ${count(evidenceRowsMax)} | the first, \`more\` is true | — |
| an answer of \`read_metric\` to an assistant | ${count(pointsMax)} values, ${bytes(toolAnswerBytesMax)} | the tool's error \`invalid_argument\`, with how to ask for less | — |
| series of a report | ${count(seriesMax)} | further ones are added up as \`other\`, or counted in \`left_out\` | — |
| a note on a report | ${characters(noteCharactersMax)} | 400, field \`text\` | — |
| notes | ${count(notesMax)} of a company, ${count(notesOfPeriodMax)} of a period of a report | 409 \`conflict\` | — |
| a name of a label's value | ${characters(labelNameCharactersMax)} | 400 | — |
| names of a label; labels of a company with names | ${count(labelNamesMax)}; ${count(namedLabelsMax)} | 400, field \`names\`; 409 \`conflict\` | — |
| months of a metric with a target | ${count(targetMonthsMax)} | 409 \`conflict\` | — |
| lines of a combined report; metrics added up in a sum; different metrics | ${count(linesMax)}; ${count(sumOperandsMax)}; ${count(reportOperandsMax)} | 400, field \`line\` | — |
| saved views: a member's own in a company; a company's | ${count(ownViewsMax)}; ${count(companyViewsMax)} | 409 | — |
| stored deliveries that a preview reads | ${count(previewDeliveriesMax)} | earlier ones are left out | — |
| a preview | ${ms(previewThreadMsMax)} | 503 | — |

### Deliveries and refused calls

| what | default | beyond it | set by |
|---|---|---|---|
| deliveries that are counted for one filter | ${count(countedMax)} | the page says that there are more | — |
| open pages of one company that show new deliveries live | ${count(companyPagesMax)} | 503; the page polls | — |
| open pages of one process | ${count(openPagesMax)} | 503; the page polls | — |
| refused calls kept of a connection or a webhook address | ${count(keptByCallerMax)} | the oldest is deleted | — |
| refused calls | ${ms(refusedCallsKeptMs)} | deleted | — |

## If you operate the service

Adjust what a variable sets to your machine and your companies ([configuration](configuration.md)). Every bound is of
one process unless it says otherwise.

| what | default | beyond it | set by |
|---|---|---|---|
| connections to one process | ${count(http.connectionsMax)} | the network with most of them loses its oldest idle one | \`NUMERA_CONNECTIONS\` |
| share of one client network, unless proxies are trusted | ${share(networkConnectionShare)} | its oldest idle connection is closed | — |
| head of a request | ${bytes(headerBytesMax)} | 431 \`invalid_argument\`, connection closed | — |
| time for the head of a request | ${ms(headersMsMax)} | 408, connection closed | — |
| time for a whole request | ${ms(requestMsMax)} | 408, connection closed | — |
| idle connection | ${ms(idleConnectionMsMax)} | connection closed | — |
| memory for bodies | ${bytes(http.bodiesBytesMax)} | 503 for the largest holder’s slowest bodies | \`NUMERA_BODY_MEMORY_MIB\` |
| of it, the share of one company | ${share(companyBodyShare)} | 503 for its slowest bodies | — |
| of it, the share of one client network without a credential | ${share(networkBodyShare)} | 503 for its slowest bodies | — |
| connections to the database | ${count(database.connectionsMax)} | calls wait | \`NUMERA_DATABASE_CONNECTIONS\` |
| wait for a connection to the database | ${ms(connectMsMax)} | 503 | — |
| statement that admits calls or stores deliveries | ${ms(acceptStatementTimeoutMs)} | 503 | — |
| statement of a read | ${ms(readStatementTimeoutMs)} | 503 | — |
| time for a standby to show that it can answer | ${ms(standbyCheckMsMax)} | the primary answers | — |
| statement of a read on a standby | ${ms(standbyReadMsMax)} | the primary answers | — |
| rest of a standby after a fault | ${ms(standbyRestMs)} | it is checked | — |
| statement of the pages and of OAuth | ${ms(pageStatementTimeoutMs)} | 503 | — |
| rebuilds of one company at a time | ${count(rebuildsOfCompanyMax)} | further ones wait | — |
| deliveries of a company that moves to another shard | wait ${ms(holdMsMax)} | the move is undone; one that waits ${ms(placeWaitMsMax)} gets 503 | — |
| a mover without a sign of life | ${ms(moverSilentMsMax)} | its move is undone | — |
| step of a clock | ${ms(clockStepMsMax)} | \`/health/ready\` is 503 and the expiry sweep pauses until the clocks agree | — |
| time after which a clock that stepped is believed | ${ms(clockHandoverMs)} | — | — |
| what has expired | ${ms(sweepGraceMs)} | deleted | — |
| an answer that is not logged as slow | ${ms(slowMs)} | one line at \`info\` | — |
| stopping, once no more calls are taken | ${ms(stopMsMax)} | the process ends with exit code 1 | — |

### Demos

A demo that is recreated each night (\`NUMERA_DEMO_RESET_AT\`) is public, so its companies may hold less. All visits to
its documents share one company without members.

| what | default | beyond it | set by |
|---|---|---|---|
| sources, connections, members of a company | ${[publicDemoLimits.sources, publicDemoLimits.connections, publicDemoLimits.members].join(', ')} | ${full} | — |
| cells of a company | ${count(publicDemoLimits.cells)} | ${limited} for deliveries | — |
| stored bytes of a company | ${bytes(publicDemoLimits.stored_bytes)} | ${limited} for deliveries | — |
| cells of a visit | ${count(visitLimits.cells)} | ${limited} for deliveries | — |
| stored bytes of a visit | ${bytes(visitLimits.stored_bytes)} | ${limited} for deliveries | — |
| credential of a visit | ${ms(visitLifetimeMs)} | 401 | — |
`
