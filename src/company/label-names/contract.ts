import { Type } from 'typebox'
import {
  CompanyParams,
  DateTime,
  etagHeader,
  OrNull,
  Text,
  unchanged,
  Whole,
} from '../../platform/http/console-schemas.ts'
import { sessionContract } from '../../platform/http/contract.ts'
import { NamedMember } from '../sources/source-schemas.ts'
import { labelNameCharactersMax, labelNamesMax, namedLabelsMax } from './label-names.ts'

const strict = { additionalProperties: false }

const labelNamesSchema = Type.Object(
  {
    label: Text('The label’s name in declarations.'),
    revision: Whole('Grows with every save; 0 before the first.'),
    names: Type.Array(
      Type.Object({ value: Text('The exact value.'), name: Text('What pages show for it.') }),
      {
        description: 'Sorted by value.',
      },
    ),
    saved_by: NamedMember('Who saved them last; null if no member did.'),
    saved_at: OrNull(DateTime('When.')),
  },
  { title: 'LabelNames' },
)

export const listLabelNamesContract = sessionContract({
  operationId: 'listLabelNames',
  summary: 'List the names of label values',
  description:
    'What pages show for values of labels, such as Sweden for SE. Answers and files have the values themselves. For every member.',
  tags: ['Reports'],
  params: CompanyParams,
  responses: {
    200: {
      description: 'The names, by label.',
      headers: etagHeader,
      body: Type.Object({ labels: Type.Array(labelNamesSchema) }, { title: 'LabelNamesList' }),
    },
    304: unchanged,
  },
})

export const saveLabelNamesContract = sessionContract({
  operationId: 'saveLabelNames',
  summary: 'Save the names of a label’s values',
  description:
    'They replace all names of the label, in every report of the company. Needs the role `developer`.',
  tags: ['Reports'],
  params: CompanyParams,
  body: Type.Object(
    {
      label: Type.String({ description: 'The label’s name in declarations.' }),
      expected_revision: Type.Integer({ minimum: 0, description: 'The `revision` that was changed.' }),
      names: Type.Array(
        Type.Object(
          {
            value: Type.String({ description: 'The exact value.' }),
            name: Type.String({
              description: `One line of 1 to ${labelNameCharactersMax} characters, without control or formatting characters.`,
            }),
          },
          strict,
        ),
        { maxItems: labelNamesMax, description: 'All of them; empty: none.' },
      ),
    },
    { ...strict, title: 'LabelNamesSave' },
  ),
  responses: { 200: { description: 'The names.', body: labelNamesSchema } },
  errors: [
    { code: 'invalid_argument', when: 'The label, a value or a name is wrong; `field` says which.' },
    {
      code: 'conflict',
      when:
        'Another member has saved names since: field `expected_revision`, and `details` has the `label_names` as they are now. Or the ' +
        `company would have names for more than ${namedLabelsMax} labels.`,
    },
  ],
})
