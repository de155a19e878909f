import { useState } from 'react'
import type { ReportCard } from '../company/report-list.ts'
import { useTexts } from '../language/language.ts'
import { useNames } from '../reports/names.ts'
import { linesMax, parseLine, sumOperandsMax, writeLine, writeOperand } from '../saved-views/line-text.ts'
import { Button, Buttons, IconButton } from '../ui/controls/button.tsx'
import { Check } from '../ui/controls/check.tsx'
import { ChoiceGroup } from '../ui/controls/field.tsx'
import { Segmented } from '../ui/controls/segmented.tsx'
import { Row, Stack } from '../ui/layout/page.tsx'
import { buildLines, type BuiltLine, findLineFault, type How, type LineFault } from './check-lines.ts'
import { useLineName } from './use-line-name.ts'
import classes from './view.module.css'

/** The lines of an address whose metrics the company has. */
function readLines(texts: readonly string[], cards: readonly ReportCard[]): BuiltLine[] {
  const byKey = new Map(cards.map((each) => [writeOperand(each), each]))
  return texts.map(parseLine).flatMap(({ numerator, denominator }) => {
    const toCards = (sum: typeof numerator) => sum.flatMap((each) => byKey.get(writeOperand(each)) ?? [])
    const line = { numerator: toCards(numerator), denominator: denominator && toCards(denominator) }
    const isWhole =
      line.numerator.length === numerator.length && line.denominator?.length === denominator?.length
    return isWhole ? [line] : []
  })
}

/** Chooses metrics by ticking them, and how they become lines: together, side by side, or divided. */
export function LineBuilder({
  lines: given,
  cards,
  onShow,
  onCancel,
}: {
  lines: readonly string[]
  cards: readonly ReportCard[]
  onShow: (lines: string[]) => void
  onCancel?: () => void
}) {
  const t = useTexts('views')
  const [lines, setLines] = useState(() => readLines(given, cards))
  const [how, setHow] = useState<How>('together')
  const [ticked, setTicked] = useState<ReportCard[]>([])
  const [divisors, setDivisors] = useState<ReportCard[]>([])
  const [fault, setFault] = useState<LineFault>()
  const all = [...lines, ...buildLines(how, ticked, divisors)]
  function apply(next: (found: BuiltLine[]) => void): void {
    const found = findLineFault(all)
    setFault(found)
    if (found === undefined) next(all)
  }
  const add = (): void =>
    apply((found) => {
      setLines(found)
      setTicked([])
      setDivisors([])
    })
  return (
    <Stack>
      <BuiltLines lines={lines} onRemove={(line) => setLines(lines.filter((other) => other !== line))} />
      <Metrics label={t('choose')} hint={t('chooseHint')} cards={cards} ticked={ticked} onTick={setTicked} />
      <Row>
        <Segmented
          label={t('how')}
          value={how}
          options={(['together', 'side', 'divided'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={setHow}
        />
      </Row>
      {how === 'divided' && (
        <Metrics label={t('dividedBy')} cards={cards} ticked={divisors} onTick={setDivisors} />
      )}
      <p role="alert" className={classes.fault}>
        {fault !== undefined && t(`fault.${fault}`, { lines: linesMax, operands: sumOperandsMax })}
      </p>
      <Buttons>
        {onCancel !== undefined && <CancelButton onCancel={onCancel} />}
        <Button icon="plus" onClick={add}>
          {t('add')}
        </Button>
        <Button variant="primary" onClick={() => apply((found) => onShow(found.map(writeLine)))}>
          {t('show')}
        </Button>
      </Buttons>
    </Stack>
  )
}

function BuiltLines({
  lines,
  onRemove,
}: {
  lines: readonly BuiltLine[]
  onRemove: (line: BuiltLine) => void
}) {
  const t = useTexts('views')
  const nameLine = useLineName()
  if (lines.length === 0) return null
  return (
    <ul className={`plain ${classes.built}`}>
      {lines.map((line) => (
        <li key={writeLine(line)}>
          {nameLine(line)}
          <IconButton
            icon="close"
            label={t('line.remove', { line: nameLine(line) })}
            onClick={() => onRemove(line)}
          />
        </li>
      ))}
    </ul>
  )
}

function CancelButton({ onCancel }: { onCancel: () => void }) {
  return <Button onClick={onCancel}>{useTexts('translation')('ui.cancel')}</Button>
}

function Metrics({
  label,
  hint,
  cards,
  ticked,
  onTick,
}: {
  label: string
  hint?: string
  cards: readonly ReportCard[]
  ticked: readonly ReportCard[]
  onTick: (ticked: ReportCard[]) => void
}) {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const names = useNames()
  return (
    <ChoiceGroup label={label} hint={hint}>
      <div className={classes.metrics}>
        {cards.map((each) => (
          <Check
            key={writeOperand(each)}
            label={
              <>
                {names.metric(each.metric, each.name)} · <bdi>{each.source_name}</bdi>
              </>
            }
            hint={
              each.total ? `${names.unit(each.unit)}, ${reports(`counted.${each.period}`)}` : t('byLabelOnly')
            }
            disabled={!each.total}
            checked={ticked.includes(each)}
            onChange={(on) => onTick(on ? [...ticked, each] : ticked.filter((other) => other !== each))}
          />
        ))}
      </div>
    </ChoiceGroup>
  )
}
