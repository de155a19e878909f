import '../ui/style/style.css'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '../api/api-error.ts'
import { compare } from '../decimals/decimal.ts'
import { formatNumber } from '../language/format-number.ts'
import { startLanguage } from '../language/language.ts'
import { Badge, PlainState } from '../ui/display/badge.tsx'
import { Button, ButtonAnchor, Buttons, IconButton } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Check, Radio } from '../ui/controls/check.tsx'
import { CodeBlock, CopyableId, CopyButton, SecretField } from '../ui/display/copy.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Drawer } from '../ui/overlays/drawer.tsx'
import { Empty, EmptyStart } from '../ui/feedback/empty-start.tsx'
import { ErrorSummary, type FieldFault } from '../ui/feedback/error-summary.tsx'
import { Fact, Facts } from '../ui/display/facts.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { ChoiceGroup, SearchField, TextArea, TextField } from '../ui/controls/field.tsx'
import { controlKey } from '../ui/display/control-key.ts'
import { LanguageSwitch } from '../ui/controls/language-switch.tsx'
import { LiveRegion, Waiting } from '../ui/feedback/live.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Columns, Page, Row, Stack } from '../ui/layout/page.tsx'
import { PageHead, Path } from '../ui/layout/page-head.tsx'
import { Menu, MenuItem, MenuLink, Popover } from '../ui/overlays/popover.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Segmented, Toggle } from '../ui/controls/segmented.tsx'
import { Select, SelectField } from '../ui/controls/select.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Steps } from '../ui/layout/steps.tsx'
import { Second, Table } from '../ui/display/table.tsx'
import { TabLink, Tabs } from '../ui/layout/tabs.tsx'
import { useUnsavedGuard } from '../ui/overlays/unsaved-guard.tsx'

// Every component of the kit on one page, for the kit's test only.

function ButtonsAndNotes() {
  const [presses, setPresses] = useState(0)
  return (
    <Card>
      <Section title="Buttons" line={`pressed ${presses} times`}>
        <Buttons>
          <Button variant="primary" onClick={() => setPresses(presses + 1)}>
            Save
          </Button>
          <Button>Cancel</Button>
          <Button variant="danger">Revoke</Button>
          <Button variant="dangerPrimary">End</Button>
          <Button variant="quiet" icon="copy">
            Quiet
          </Button>
          <Button disabled>Done</Button>
          <Button busy onClick={() => setPresses(presses + 100)}>
            Saving
          </Button>
          <Button small>Small</Button>
          <ButtonLink to="/apps" icon="plus">
            New source
          </ButtonLink>
          <ButtonAnchor href="https://elsewhere.example/">Elsewhere</ButtonAnchor>
          <IconButton icon="close" label="Close it" />
        </Buttons>
        <Row>
          <PlainState>Active</PlainState>
          <Badge tone="amber" icon="clock">
            Late
          </Badge>
          <Badge icon="pause">Paused</Badge>
          <Badge tone="red" icon="warning">
            Unreadable
          </Badge>
          <Badge tone="test" icon="test">
            Test
          </Badge>
          <Badge tone="outline" icon="diamond">
            Restated
          </Badge>
        </Row>
        <Note icon="clock" title="As of 10 October 2026, 18:00." />
        <Note tone="amber" title="Expires in 23 days." action={<Link to="/apps">Create replacement</Link>} />
        <Note tone="red" title="Two rows were refused;">
          the other 46 count.
        </Note>
        <Failure error={new ApiError(503, { retryAfterS: 30 })} onRetry={() => setPresses(presses + 10)} />
        <Waiting
          title="Waiting for your first delivery …"
          boxed
          aside={<span className="small">since 14:02</span>}
        >
          It appears here within two seconds.
        </Waiting>
        <Skeleton
          blocks={[
            { width: 80, height: 16 },
            { width: 'wide', height: 40 },
          ]}
        />
        <p>
          <kbd>{controlKey}</kbd> <kbd>K</kbd>
        </p>
      </Section>
    </Card>
  )
}

function Choices() {
  const [range, setRange] = useState<'year' | 'month'>('year')
  const [grain, setGrain] = useState<'day' | 'week' | 'month'>('month')
  const [compares, setCompares] = useState(false)
  const [isPersonal, setPersonal] = useState(true)
  const [role, setRole] = useState('reader')
  return (
    <Card>
      <Section title="Choices" line={[range, grain, compares, isPersonal, role].join(' ')}>
        <Row>
          <Select
            label="Range"
            icon="calendar"
            value={range}
            options={[
              { value: 'year', label: 'Last 12 months' },
              { value: 'month', label: 'Last 30 days' },
            ]}
            onChange={setRange}
          />
          <Segmented
            label="Counted by"
            value={grain}
            options={[
              { value: 'day', label: 'Day' },
              { value: 'week', label: 'Week' },
              { value: 'month', label: 'Month' },
            ]}
            onChange={setGrain}
          />
          <Toggle pressed={compares} onToggle={setCompares}>
            Year before
          </Toggle>
        </Row>
        <Check
          label="Personal"
          hint="Never a label, and never in a sample"
          checked={isPersonal}
          onChange={setPersonal}
        />
        <Check label="Fixed" checked disabled onChange={() => undefined} />
        <ChoiceGroup label="Role" error={role === 'owner' ? 'There are owners enough.' : undefined}>
          {['reader', 'developer', 'owner'].map((name) => (
            <Radio
              key={name}
              name="role"
              label={name}
              checked={role === name}
              onChoose={() => setRole(name)}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </Card>
  )
}

function Form() {
  const [name, setName] = useState('')
  const [format, setFormat] = useState<'json' | 'csv'>('json')
  const [faults, setFaults] = useState<FieldFault[]>([])
  const question = useUnsavedGuard(name !== '')
  const getError = (id: string): string | undefined => faults.find(({ fieldId }) => fieldId === id)?.message
  return (
    <Card>
      <Section title="A form">
        {question}
        <ErrorSummary faults={faults} />
        <TextField
          id="name"
          label="Name"
          hint="As your colleagues call the system"
          error={getError('name')}
          value={name}
          onChange={setName}
        />
        <SelectField
          label="Format"
          value={format}
          options={[
            { value: 'json', label: 'JSON' },
            { value: 'csv', label: 'CSV' },
          ]}
          onChange={setFormat}
        />
        <TextArea label="A row" code rows={3} />
        <SearchField label="Key or delivery ID" onChange={() => undefined} />
        <SecretField label="Secret" value="ncs_example" hint="It is not shown again." />
        <CopyableId id="01900000-0000-7000-8000-0000000000a1" label="Source ID" />
        <Buttons>
          <Button
            variant="primary"
            onClick={() => setFaults(name === '' ? [{ fieldId: 'name', message: 'Write a name.' }] : [])}
          >
            Check
          </Button>
          <CopyButton text="as a table" label="Copy as table" variant="quiet" />
        </Buttons>
        <CodeBlock label="Send one row." code={'curl -sS https://numera.example/v1/ingest \\\n  -d {}'} />
        <Steps
          label="Steps"
          steps={[
            { key: 'name', label: 'Name', state: 'done' },
            { key: 'fields', label: 'Fields', state: 'wrong' },
            { key: 'metrics', label: 'Metrics', state: 'current' },
            { key: 'save', label: 'Save', state: 'open' },
          ]}
          onStep={setName}
        />
      </Section>
    </Card>
  )
}

const rows = [
  { month: 'Oct 2026', value: '1298111.75' },
  { month: 'Sep 2026', value: '-9.10' },
  { month: 'Aug 2026', value: '99999999999999999999999999999999999999' },
]

function Tables() {
  const [over, setOver] = useState<'dialog' | 'drawer'>()
  const [done, setDone] = useState('')
  return (
    <>
      <Card>
        <Section
          title="Figures"
          line="SEK"
          actions={
            <Menu label="Actions: figures">
              <MenuItem icon="copy" onClick={() => setDone('copied')}>
                Copy all
              </MenuItem>
              <MenuItem icon="warning" danger onClick={() => setOver('dialog')}>
                Remove
              </MenuItem>
              <MenuLink to="/apps">Your apps</MenuLink>
            </Menu>
          }
        />
        <LiveRegion>{done}</LiveRegion>
        <Table
          caption="Figures"
          sticky
          initialSort="value"
          columns={[
            {
              key: 'month',
              head: 'Month',
              render: ({ month }) => (
                <>
                  {month}
                  <Second>restated</Second>
                </>
              ),
              sum: 'Sum of 3',
            },
            {
              key: 'value',
              head: 'All',
              render: ({ value }) => formatNumber('en', value),
              compare: (a, b) => compare(a.value, b.value),
              end: true,
              strong: true,
              sum: '3',
            },
          ]}
          rows={rows}
          rowKey={({ month }) => month}
        />
      </Card>
      <Card>
        <Table caption="Nothing" columns={[]} rows={[]} rowKey={() => ''} />
      </Card>
      <Buttons>
        <Button onClick={() => setOver('dialog')}>Open the dialog</Button>
        <Button onClick={() => setOver('drawer')}>Open the drawer</Button>
        <Popover label="Filters" renderButton={(opener) => <Button {...opener}>Filters</Button>}>
          <Button>Only refused</Button>
        </Popover>
      </Buttons>
      {over === 'dialog' && (
        <Dialog
          title="Remove it?"
          onClose={() => setOver(undefined)}
          footer={<Button onClick={() => setOver(undefined)}>Keep it</Button>}
        >
          <TextField label="Its name" data-autofocus />
        </Dialog>
      )}
      {over === 'drawer' && (
        <Drawer
          over="Trace of a figure"
          title="Sweden, September 2026"
          line="Revenue · Ledger · SEK"
          onClose={() => setOver(undefined)}
        >
          <Button>Open delivery</Button>
        </Drawer>
      )}
    </>
  )
}

function Kit() {
  return (
    <main>
      <Page>
        <PageHead
          title="The kit"
          line="Every component"
          path={
            <Path>
              <Link to="/apps">Above</Link>
              <bdi>The kit</bdi>
            </Path>
          }
          actions={<LanguageSwitch />}
        />
        <Tabs label="Parts">
          <TabLink to=".">All</TabLink>
          <TabLink to="/apps">None</TabLink>
        </Tabs>
        <ButtonsAndNotes />
        <Choices />
        <Form />
        <Tables />
        <Columns>
          <Stack>
            <Facts>
              <Fact name="Received">10 Oct 2026, 18:00</Fact>
            </Facts>
            <Facts stacked>
              <Fact name="Rows">48</Fact>
            </Facts>
          </Stack>
          <Empty title="No deliveries yet">It shows here.</Empty>
        </Columns>
        <EmptyStart
          title="From nothing to your first number"
          steps={[
            { title: 'Create a source', text: 'Drop a file.', state: 'done' },
            {
              title: 'Sign a connection',
              text: 'Try it first.',
              state: 'now',
              action: <Button>Sign</Button>,
            },
            { title: 'Send a delivery', text: 'It shows here.', state: 'later' },
          ]}
        />
      </Page>
    </main>
  )
}

startLanguage()
const root = createRootRoute({ component: Outlet, notFoundComponent: () => <p>Left</p> })
const kit = createRoute({ getParentRoute: () => root, path: '/src/testing/kit.html', component: Kit })
const router = createRouter({ routeTree: root.addChildren([kit]) })
// oxlint-disable-next-line typescript/no-explicit-any -- links here are typed by the pages' own router
createRoot(document.querySelector('#root')!).render(<RouterProvider router={router as any} />)
